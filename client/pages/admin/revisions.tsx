import { ScreenHead } from '../../features/admin/screen.js';

/** The kept versions of a post. */
export function Component() {
  return <ScreenHead title="Versions" />;
}
