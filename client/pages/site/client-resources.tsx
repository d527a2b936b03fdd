import { paths } from '../../../src/shared/paths.js';
import { ButtonLink, ExternalLink } from '../../components/button.js';
import { CallToAction } from '../../components/call-to-action.js';
import { Card, CardGrid } from '../../components/card-grid.js';
import { PhoneLink } from '../../components/facts-list.js';
import { Notice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { Section } from '../../components/section.js';
import { portalDrawing } from '../../content/drawings/portal.js';
import { clientResources, portalNotice, quickActions } from '../../content/resources.js';
import { hasPlaceholderLines, supportContactsOf } from '../../content/support.js';
import { PortalLoginForm } from '../../features/portal/portal-login-form.js';
import { PreviewButton } from '../../features/portal/preview-button.js';
import { Head } from '../../lib/head.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

export function Component() {
  const site = useSite();
  return (
    <>
      <Head
        title="Client Resources"
        description={`For clients of ${site.name}: support lines and their hours, and a first look at the client portal with tickets, guides, devices, reports, and invoices.`}
        jsonLd={[toBreadcrumbs(site, [{ name: 'Client Resources', path: paths.client }])]}
      />
      <PageHeader drawing={portalDrawing} title="Client Resources" lede="What clients reach for, in one place." />
      <Section>
        <Notice>{portalNotice.standing}</Notice>
      </Section>
      <SupportLines />
      <Section eyebrow="Resources" title="What the portal will hold">
        <CardGrid>
          {clientResources.map(({ glyph, title, description, action }) => (
            <Card key={title} glyph={glyph} title={title} text={description}>
              <PreviewButton label={action} />
            </Card>
          ))}
        </CardGrid>
      </Section>
      <Section isTight>
        <div className="columns">
          <div className="stack">
            <h2>Quick actions</h2>
            <p className="lede">The four things clients ask for most, one press away once the portal opens.</p>
            <ul role="list" className="quick-actions">
              {quickActions.map((action) => (
                <li key={action}>
                  <PreviewButton label={action} />
                </li>
              ))}
            </ul>
          </div>
          <div className="panel stack portal-panel">
            <h2>Portal login</h2>
            <p className="quiet">A preview. Nothing you type here is sent or kept.</p>
            <PortalLoginForm />
          </div>
        </div>
      </Section>
      <CallToAction
        title="Need something today?"
        lede="You don’t need a portal for that. Call, write, or open a ticket."
      >
        <ButtonLink to={paths.contact}>Contact Us</ButtonLink>
        <ExternalLink href={site.helpDeskUrl} className="btn btn-line">
          Submit a Ticket
        </ExternalLink>
      </CallToAction>
    </>
  );
}

function SupportLines() {
  const site = useSite();
  return (
    <Section tone="muted" eyebrow="Support lines" title="Who to call, and when">
      <CardGrid>
        {supportContactsOf(site).map(({ glyph, type, number, availability }) => (
          <Card key={type} glyph={glyph} title={type} text={availability}>
            <PhoneLink phone={number} className="link numeric" />
          </Card>
        ))}
      </CardGrid>
      {hasPlaceholderLines(site) ? (
        <p className="small quiet support-note">
          These numbers are placeholders until the lines are connected. Until then, call{' '}
          <PhoneLink phone={site.phone} />.
        </p>
      ) : null}
    </Section>
  );
}
