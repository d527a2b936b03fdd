import { termsTexts } from '../../../src/shared/contracts/page-texts/terms.js';
import { paths } from '../../../src/shared/paths.js';
import { termsDrawing } from '../../content/drawings/terms.js';
import { LegalPage } from '../../features/legal/legal-page.js';
import { usePageTexts } from '../../lib/page-texts.js';

export function Component() {
  return <LegalPage drawing={termsDrawing} path={paths.terms} texts={usePageTexts(termsTexts)} />;
}
