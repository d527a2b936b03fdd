import { useLoaderData } from 'react-router-dom';
import type { RefusedForm } from '../../../src/shared/contracts/contact-form.js';
import { contactTexts } from '../../../src/shared/contracts/page-texts/contact.js';
import { paths } from '../../../src/shared/paths.js';
import { FactsList, PhoneLink } from '../../components/facts-list.js';
import { PageHeader } from '../../components/page-header.js';
import { Section } from '../../components/section.js';
import { contactDrawing } from '../../content/drawings/contact.js';
import { ContactForm } from '../../features/contact/contact-form.js';
import { Head } from '../../lib/head.js';
import { usePageTexts } from '../../lib/page-texts.js';
import { useSite } from '../../lib/site-context.js';
import { toBreadcrumbs } from '../../lib/structured-data.js';

/** Result of the page's loader. */
interface ContactData {
  readonly refusedForm: RefusedForm | null;
}

export function Component() {
  const site = useSite();
  const texts = usePageTexts(contactTexts);
  const { refusedForm } = useLoaderData<ContactData>();
  return (
    <>
      <Head
        title={texts.title}
        description={texts.description}
        jsonLd={[toBreadcrumbs(site, [{ name: texts.title, path: paths.contact }])]}
      />
      <PageHeader drawing={contactDrawing} title={texts.title} lede={texts.lede} />
      <Section>
        <div className="contact-columns">
          <ContactWays />
          <div className="panel stack contact-panel">
            <h2>{texts.form_title}</h2>
            <ContactForm refused={refusedForm} />
          </div>
          <div className="stack contact-next">
            {texts.steps.length > 0 ? (
              <>
                <h2>{texts.steps_title}</h2>
                <ol className="steps">
                  {texts.steps.map(({ title, description }, index) => (
                    <li key={index}>
                      <h3>{title}</h3>
                      <p className="quiet">{description}</p>
                    </li>
                  ))}
                </ol>
              </>
            ) : null}
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
