import { ScreenHead } from '../../features/admin/screen.js';

/** Images, and where they are used. */
export function Component() {
  return <ScreenHead title="Media" />;
}
