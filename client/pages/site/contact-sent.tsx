import { contactTexts } from '../../../src/shared/contracts/page-texts/contact.js';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { PhoneLink } from '../../components/facts-list.js';
import { Notice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { Section } from '../../components/section.js';
import { contactMessages } from '../../content/contact.js';
import { sentDrawing } from '../../content/drawings/sent.js';
import { Head } from '../../lib/head.js';
import { usePageTexts } from '../../lib/page-texts.js';
import { useSite } from '../../lib/site-context.js';

/**
 * The page that follows the contact form when no scripts run. Only the address that the form leads to has the fragment
 * that shows the message as sent: whoever opens the page by itself sent nothing.
 */
export function Component() {
  const { phone } = useSite();
  const { steps, sent_title: title, sent_lede: lede, sent_thanks: thanks } = usePageTexts(contactTexts);
  return (
    <div id="sent" className="sent">
      <Head title={title} description="What follows when you write to us with the contact form." isHidden />
      <PageHeader
        drawing={sentDrawing}
        title={title}
        lede={
          <>
            {`${lede} `}
            <PhoneLink phone={phone} />.
          </>
        }
      />
      <Section>
        <div className="stack contact-next">
          <div className="sent-told">
            <Notice kind="success">
              <p>
                <strong>{contactMessages.sent}</strong>
                {` ${thanks}`}
              </p>
            </Notice>
          </div>
          <p className="sent-untold">
            This is what follows the <a href={paths.contact}>contact form</a>.
          </p>
          {steps.length > 1 ? (
            <ol className="steps">
              {steps.slice(1).map(({ title, description }, index) => (
                <li key={index}>
                  <h2>{title}</h2>
                  <p className="quiet">{description}</p>
                </li>
              ))}
            </ol>
          ) : null}
          <div className="row">
            <ButtonLink to={paths.home}>Return to Home</ButtonLink>
            <ButtonLink to={paths.blogs} kind="line">
              Read the blog
            </ButtonLink>
          </div>
        </div>
      </Section>
    </div>
  );
}
