import { termsTexts } from '../../../src/shared/contracts/page-texts/terms.js';
import { termsDrawing } from '../../content/drawings/terms.js';
import { LegalPage } from '../../features/legal/legal-page.js';
import { usePageTexts } from '../../lib/page-texts.js';

export function Component() {
  return <LegalPage page="terms" drawing={termsDrawing} texts={usePageTexts(termsTexts)} />;
}
