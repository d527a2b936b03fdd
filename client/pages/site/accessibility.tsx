import { accessibilityTexts } from '../../../src/shared/contracts/page-texts/accessibility.js';
import { accessibilityDrawing } from '../../content/drawings/accessibility.js';
import { LegalPage } from '../../features/legal/legal-page.js';
import { usePageTexts } from '../../lib/page-texts.js';

export function Component() {
  return <LegalPage page="accessibility" drawing={accessibilityDrawing} texts={usePageTexts(accessibilityTexts)} />;
}
