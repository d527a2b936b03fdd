import { ScreenHead } from '../../features/admin/screen.js';

/** The list of posts (specification section 2). */
export function Component() {
  return <ScreenHead title="Manage Blog Posts" lede="Create, edit, and publish your blog content" />;
}
