import { termMessages } from '../../content/terms.js';
import { ScreenHead } from '../../features/admin/screen.js';
import { TermManager } from '../../features/terms/term-manager.js';

/** The screen of categories and tags (product.md 2.14). */
export function Component() {
  return (
    <>
      <ScreenHead title={termMessages.title} lede={termMessages.lede} />
      <TermManager />
    </>
  );
}
