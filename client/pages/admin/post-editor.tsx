import { ScreenHead } from '../../features/admin/screen.js';

/** The editor of a post. */
export function Component() {
  return <ScreenHead title="Edit Blog Post" />;
}
