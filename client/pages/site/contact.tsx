import { useLoaderData } from 'react-router-dom';
import type { RefusedForm } from '../../../src/shared/contracts/contact-form.js';
import { paths } from '../../../src/shared/paths.js';
import { Card, CardGrid } from '../../components/card-grid.js';
import { PhoneLink } from '../../components/facts-list.js';
import { PageHeader } from '../../components/page-header.js';
import { Section } from '../../components/section.js';
import { contactSteps } from '../../content/contact.js';
import { ContactForm } from '../../features/contact/contact-form.js';
import { Head } from '../../lib/head.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

/** Result of the page's loader. */
interface ContactData {
  readonly refusedForm: RefusedForm | null;
}

export function Component() {
  const site = useSite();
  const { refusedForm } = useLoaderData<ContactData>();
  return (
    <>
      <Head
        title="Contact Us"
        description={`Call or write to ${site.name}, or schedule a free consultation. Remote support: ${site.areaRemote}. On-site support: ${site.areaOnsite}.`}
        jsonLd={[toBreadcrumbs(site, [{ name: 'Contact Us', path: paths.contact }])]}
      />
      <PageHeader
        title="Contact Us"
        lede="Tell us what keeps breaking. You’ll talk to someone who can fix it, and the first conversation is free."
      />
      <ContactWays />
      <Section isTight>
        <div className="columns">
          <div className="panel stack contact-panel">
            <h2>Schedule a free consultation</h2>
            <ContactForm refused={refusedForm} />
          </div>
          <div className="stack contact-next">
            <h2>What happens next</h2>
            <ol className="steps">
              {contactSteps.map(({ title, description }) => (
                <li key={title}>
                  <h3>{title}</h3>
                  <p className="quiet">{description}</p>
                </li>
              ))}
            </ol>
          </div>
        </div>
      </Section>
    </>
  );
}

function ContactWays() {
  const { phone, email, hours, areaRemote, areaOnsite } = useSite();
  return (
    <Section eyebrow="Ways to reach us" title="Pick the one that suits you">
      <CardGrid>
        <Card glyph="phone" title="Phone" text={hours}>
          <PhoneLink phone={phone} className="link" />
        </Card>
        <Card glyph="mail" title="Email" text="Any time, about anything with a plug">
          <a className="link" href={`mailto:${email}`}>
            {email}
          </a>
        </Card>
        <Card glyph="pin" title="Service area">
          <dl className="service-area">
            <div>
              <dt>Remote</dt>
              <dd>{areaRemote}</dd>
            </div>
            <div>
              <dt>On-site</dt>
              <dd>{areaOnsite}</dd>
            </div>
          </dl>
        </Card>
      </CardGrid>
    </Section>
  );
}
