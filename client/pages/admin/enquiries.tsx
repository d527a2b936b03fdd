import { ScreenHead } from '../../features/admin/screen.js';

/** What visitors wrote. */
export function Component() {
  return <ScreenHead title="Enquiries" />;
}
