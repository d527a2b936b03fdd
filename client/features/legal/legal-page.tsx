import { useId, type ReactNode } from 'react';
import type { termsTexts } from '../../../src/shared/contracts/page-texts/terms.js';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { CallToAction } from '../../components/call-to-action.js';
import { PageHeader, type Drawing } from '../../components/page-header.js';
import { RichText, toRichFacts } from '../../components/rich-text.js';
import { Head } from '../../lib/head.js';
import { useEdits, useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

/** When the texts of the legal pages that come with a release were last changed. */
const LAST_UPDATED = { iso: '2026-11-28', long: 'November 28, 2026' };

type LegalPageName = 'privacy' | 'terms' | 'accessibility';

interface LegalPageProps {
  readonly page: LegalPageName;
  readonly texts: typeof termsTexts.defaults;
  /** The names of the texts that say the rules which this page shows. */
  readonly rules?: readonly string[];
  readonly drawing: Drawing;
  /** The content in the place of paragraphs that are a placeholder. */
  readonly blocks?: Readonly<Record<string, ReactNode>>;
}

/** A page of legal text: dated, summarized, at reading width. */
export function LegalPage({ page, texts, rules = ['sections'], drawing, blocks }: LegalPageProps) {
  const site = useSite();
  const { title, description, summary } = texts;
  const updated = useUpdated(page, rules);
  return (
    <>
      <Head
        title={title}
        description={description}
        jsonLd={[toBreadcrumbs(site, [{ name: title, path: paths[page] }])]}
      />
      <PageHeader title={title} drawing={drawing} />
      <div className="section">
        <div className="wrap legal">
          <div className="legal-summary">
            <p className="lede">{summary}</p>
            <p className="small quiet">
              Last updated <time dateTime={updated.iso}>{updated.long}</time>
            </p>
          </div>
          {texts.sections.map(({ title: heading, body }, index) => (
            <LegalSection key={index} title={heading}>
              <RichText text={body} facts={toRichFacts(site)} blocks={blocks} />
            </LegalSection>
          ))}
        </div>
      </div>
      <CallToAction title={texts.closing_title} lede={texts.closing_lede}>
        <ButtonLink to={paths.contact}>Contact Us</ButtonLink>
      </CallToAction>
    </>
  );
}

/** The day on which the page was changed last: a release counts as long as one of its rules is shown. */
function useUpdated(page: LegalPageName, rules: readonly string[]) {
  const edits = useEdits();
  // Browsers that come from another page have the edits of that one.
  const updated = edits?.page === page ? edits.updated : undefined;
  const isOwn = rules.every((name) => name in (edits?.values ?? {}));
  return updated !== undefined && (isOwn || updated.iso > LAST_UPDATED.iso) ? updated : LAST_UPDATED;
}

interface LegalSectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A part of a legal page, named after its heading. */
function LegalSection({ title, children }: LegalSectionProps) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId}>{title}</h2>
      <div className="prose">{children}</div>
    </section>
  );
}
