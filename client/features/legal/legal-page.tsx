import { useId, type ReactNode } from 'react';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { CallToAction } from '../../components/call-to-action.js';
import { PageHeader, type Drawing } from '../../components/page-header.js';
import { Head } from '../../lib/head.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

/** When the legal pages were last changed. */
const LAST_UPDATED = { iso: '2026-11-23', long: 'November 23, 2026' };

interface LegalPageProps {
  readonly title: string;
  /** For search engines. */
  readonly description: string;
  /** The page in a sentence or two, for people who read no further. */
  readonly summary: string;
  readonly path: string;
  readonly drawing: Drawing;
  /** {@link LegalSection}s. */
  readonly children: ReactNode;
}

/** A page of legal text: dated, summarized, at reading width. */
export function LegalPage({ title, description, summary, path, drawing, children }: LegalPageProps) {
  const site = useSite();
  return (
    <>
      <Head title={title} description={description} jsonLd={[toBreadcrumbs(site, [{ name: title, path }])]} />
      <PageHeader title={title} drawing={drawing} />
      <div className="section">
        <div className="wrap legal">
          <div className="legal-summary">
            <p className="lede">{summary}</p>
            <p className="small quiet">
              Last updated <time dateTime={LAST_UPDATED.iso}>{LAST_UPDATED.long}</time>
            </p>
          </div>
          {children}
        </div>
      </div>
      <CallToAction title="A question about this page?" lede="Ask us, and a person will answer.">
        <ButtonLink to={paths.contact}>Contact Us</ButtonLink>
      </CallToAction>
    </>
  );
}

interface LegalSectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A part of a legal page, named after its heading. */
export function LegalSection({ title, children }: LegalSectionProps) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId}>{title}</h2>
      <div className="prose">{children}</div>
    </section>
  );
}
