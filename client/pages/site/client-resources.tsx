import { clientTexts } from '../../../src/shared/contracts/page-texts/client.js';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink, ExternalLink } from '../../components/button.js';
import { CallToAction } from '../../components/call-to-action.js';
import { Card, CardGrid } from '../../components/card-grid.js';
import { PhoneLink } from '../../components/facts-list.js';
import { Notice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { Section } from '../../components/section.js';
import { portalDrawing } from '../../content/drawings/portal.js';
import { hasPlaceholderLines, supportContactsOf } from '../../content/support.js';
import { PortalLoginForm } from '../../features/portal/portal-login-form.js';
import { PreviewButton } from '../../features/portal/preview-button.js';
import { Head } from '../../lib/head.js';
import { usePageTexts } from '../../lib/page-texts.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

export function Component() {
  const site = useSite();
  const texts = usePageTexts(clientTexts);
  return (
    <>
      <Head
        title={texts.title}
        description={texts.description}
        jsonLd={[toBreadcrumbs(site, [{ name: texts.title, path: paths.client }])]}
      />
      <PageHeader drawing={portalDrawing} title={texts.title} lede={texts.lede} />
      <Section>
        <Notice>{texts.notice}</Notice>
      </Section>
      <SupportLines />
      {texts.resources.length > 0 ? (
        <Section eyebrow={texts.resources_eyebrow} title={texts.resources_title}>
          <CardGrid>
            {texts.resources.map(({ glyph, title, description, action }, index) => (
              <Card key={index} glyph={glyph} title={title} text={description}>
                <PreviewButton label={action} />
              </Card>
            ))}
          </CardGrid>
        </Section>
      ) : null}
      <Section isTight>
        <div className="columns">
          {texts.actions.length > 0 ? (
            <div className="stack">
              <h2>{texts.actions_title}</h2>
              <p className="lede">{texts.actions_lede}</p>
              <ul role="list" className="quick-actions">
                {texts.actions.map((action, index) => (
                  <li key={index}>
                    <PreviewButton label={action} />
                  </li>
                ))}
              </ul>
            </div>
          ) : null}
          <div className="panel stack portal-panel">
            <h2>{texts.login_title}</h2>
            <p className="quiet">{texts.login_text}</p>
            <PortalLoginForm />
          </div>
        </div>
      </Section>
      <CallToAction title={texts.closing_title} lede={texts.closing_lede}>
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
  const texts = usePageTexts(clientTexts);
  const lines = supportContactsOf(site, texts.lines);
  return (
    <Section tone="muted" eyebrow={texts.lines_eyebrow} title={texts.lines_title}>
      <CardGrid>
        {lines.map(({ glyph, type, number, availability }, index) => (
          <Card key={index} glyph={glyph} title={type} text={availability}>
            <PhoneLink phone={number} className="link numeric" />
          </Card>
        ))}
      </CardGrid>
      {hasPlaceholderLines(site, texts.lines) ? (
        <p className="small quiet support-note">
          These numbers are placeholders until the lines are connected. Until then, call{' '}
          <PhoneLink phone={site.phone} />.
        </p>
      ) : null}
    </Section>
  );
}
