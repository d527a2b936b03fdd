import { linkMessages } from '../../content/links.js';
import { ScreenHead } from '../../features/admin/screen.js';
import { DeadLinks } from '../../features/links/dead-links.js';

/** The screen of dead links (product.md 2.14). */
export function Component() {
  return (
    <>
      <ScreenHead title={linkMessages.title} lede={linkMessages.lede} />
      <DeadLinks />
    </>
  );
}
