import { privacyTexts } from '../../../src/shared/contracts/page-texts/privacy.js';
import { RichText, toRichFacts } from '../../components/rich-text.js';
import { privacyDrawing } from '../../content/drawings/privacy.js';
import { LegalPage } from '../../features/legal/legal-page.js';
import { usePageTexts } from '../../lib/page-texts.js';
import { useSite } from '../../lib/site-context.js';

/** The privacy policy. What it says of reads is what the site does at present, whatever else was edited. */
export function Component() {
  const site = useSite();
  const texts = usePageTexts(privacyTexts);
  const reads = site.readCountsDays === null ? 'reads_uncounted' : 'reads_counted';
  const blocks = { reads: <RichText text={texts[reads]} facts={toRichFacts(site)} /> };
  const rules = ['sections', reads];
  return <LegalPage page="privacy" drawing={privacyDrawing} texts={texts} rules={rules} blocks={blocks} />;
}
