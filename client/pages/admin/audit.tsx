import { ScreenHead } from '../../features/admin/screen.js';

/** Who did what. */
export function Component() {
  return <ScreenHead title="Activity" />;
}
