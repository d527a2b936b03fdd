import { readMessages } from '../../content/reads.js';
import { ScreenHead } from '../../features/admin/screen.js';
import { ReadsReport } from '../../features/reads/reads-report.js';
import { useSite } from '../../lib/site-context.js';

/** The screen of reads (product.md 2.14). */
export function Component() {
  const { readCountsDays } = useSite();
  return (
    <>
      <ScreenHead title={readMessages.title} lede={readMessages.lede} />
      {readCountsDays === null ? <p className="list-note">{readMessages.off}</p> : <ReadsReport />}
    </>
  );
}
