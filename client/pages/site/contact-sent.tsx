import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { PhoneLink } from '../../components/facts-list.js';
import { PageHeader } from '../../components/page-header.js';
import { Section } from '../../components/section.js';
import { sentDrawing } from '../../content/drawings/sent.js';
import { contactMessages, contactSteps } from '../../content/contact.js';
import { Head } from '../../lib/head.js';
import { useSite } from '../../lib/site-context.js';

/** The page that follows the contact form when no scripts run. */
export function Component() {
  const { phone } = useSite();
  return (
    <>
      <Head title="Message sent" description="Your message has been sent." isHidden />
      <PageHeader
        drawing={sentDrawing}
        title={contactMessages.sent}
        lede={
          <>
            Thank you for writing to us. It is in good hands. In a hurry? Call <PhoneLink phone={phone} />.
          </>
        }
      />
      <Section title="What happens next">
        <div className="stack contact-next">
          <ol className="steps">
            {contactSteps.slice(1).map(({ title, description }) => (
              <li key={title}>
                <h3>{title}</h3>
                <p className="quiet">{description}</p>
              </li>
            ))}
          </ol>
          <div className="row">
            <ButtonLink to={paths.home}>Return to Home</ButtonLink>
            <ButtonLink to={paths.blogs} kind="line">
              Read the blog
            </ButtonLink>
          </div>
        </div>
      </Section>
    </>
  );
}
