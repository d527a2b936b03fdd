import { useLoaderData } from 'react-router-dom';
import type { RefusedForm } from '../../../src/shared/contracts/contact-form.js';
import { paths } from '../../../src/shared/paths.js';
import { FactsList, PhoneLink } from '../../components/facts-list.js';
import { PageHeader } from '../../components/page-header.js';
import { Section } from '../../components/section.js';
import { contactDrawing } from '../../content/drawings/contact.js';
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
        drawing={contactDrawing}
        title="Contact Us"
        lede="Tell us what keeps breaking. You’ll talk to someone who can fix it, and the first conversation is free."
      />
      <Section>
        <div className="contact-columns">
          <ContactWays />
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
            <ServiceArea />
          </div>
        </div>
      </Section>
    </>
  );
}

/** Phone and email in one line, beside the form where there is room. */
function ContactWays() {
  const { phone, email } = useSite();
  return (
    <p className="row contact-ways">
      <PhoneLink phone={phone} className="link" />
      <a className="link" href={`mailto:${email}`}>
        {email}
      </a>
    </p>
  );
}

function ServiceArea() {
  const { contactPerson, hours, areaRemote, areaOnsite } = useSite();
  const facts = [
    { label: 'Hours', value: hours },
    { label: 'Remote', value: areaRemote },
    { label: 'On-site', value: areaOnsite },
  ];
  return <FactsList facts={contactPerson ? [{ label: 'Who answers', value: contactPerson }, ...facts] : facts} />;
}
