import { paths } from '../../../src/shared/paths.js';
import { PhoneLink } from '../../components/facts-list.js';
import { privacyDrawing } from '../../content/drawings/privacy.js';
import { LegalPage, LegalSection } from '../../features/legal/legal-page.js';
import { useSite } from '../../lib/site-context.js';

export function Component() {
  const site = useSite();
  const days = site.enquiryRetentionDays === 1 ? 'one day' : `${site.enquiryRetentionDays} days`;
  return (
    <LegalPage
      drawing={privacyDrawing}
      title="Privacy Policy"
      description={`What ${site.name} stores when you visit this website, write to us, or create an account, why we store it, and how to have it corrected or deleted.`}
      path={paths.privacy}
      summary="You can read this whole site without telling us who you are. We set no tracking cookies, follow nobody around, and sell nothing about anyone."
    >
      <LegalSection title="Who is responsible">
        <p>
          This website is run by {site.legalName}. For anything on this page, write to{' '}
          <a href={`mailto:${site.email}`}>{site.email}</a> or call us at <PhoneLink phone={site.phone} />.
        </p>
        <p>
          This policy is about the website. If you are a client, the agreement between us says how we handle the data on
          the systems in our care.
        </p>
      </LegalSection>
      <LegalSection title="When you only read">
        <p>
          <strong>Server logs.</strong> As with any website, our server notes each request: the time, the address of the
          page, the outcome, the kind of browser, and the internet address it came from. We use these notes to keep the
          site running and to stop abuse, not to find out who you are, and we keep them no longer than that takes.
        </p>
        <p>
          <strong>Your theme.</strong> If you switch between the light and the dark theme, your browser remembers the
          choice in its local storage. It stays on your device and is not sent to us.
        </p>
        {site.readCountsDays === null ? <UncountedReads /> : <CountedReads days={site.readCountsDays} />}
        <p>
          <strong>No tracking.</strong> We use no tracking cookies,{' '}
          {site.readCountsDays === null ? 'no analytics, ' : 'no analytics of other companies, '}no advertising
          networks, and no fonts or scripts from other companies.
        </p>
      </LegalSection>
      <LegalSection title="When you write to us">
        <p>
          The <a href={paths.contact}>contact form</a> asks for your name, your email address, and your message. They
          are delivered to our mailbox as an email, and we use them to answer you. Our website’s database keeps them as
          well, so that no message is lost when our email is down. There it stays until your request is done, with what
          we note about it; {days} after we have closed the request, message and notes are removed. Messages that we
          took in before we kept them for as long as a request is open are removed {days} after their email was
          delivered, as we said then. Your name, your email address, and when you wrote stay on that list until we erase
          them, which we do when you ask. In our mailbox we keep the conversation for as long as it is needed to answer
          you or to work with you. We don’t add you to a newsletter. To keep programs from flooding us, we count for a
          while how many messages come from an internet address.
        </p>
      </LegalSection>
      <LegalSection title="When you create an account">
        <p>
          An account holds your email address and a one-way hash of your password, from which the password itself cannot
          be read. To keep you signed in, your browser holds a session in its local storage, and our database holds its
          counterpart until you sign out or it expires. You don’t need an account to read the site or to write to us.
        </p>
        <p>
          <strong>One cookie.</strong> When you sign in, we set a cookie called <code>__Secure-known_device</code>. It
          tells us that you have signed in on this device before, so that strangers who guess your password can’t keep
          you out. It holds a random number and no name, is sent only when you sign in or change your account, and
          expires after 180 days. To stop guessing, we count wrong passwords and codes for two days, and how many emails
          were asked for, by whom, for a few hours.
        </p>
        <p>
          The login form on the <a href={paths.client}>Client Resources</a> page is a preview. Nothing that is typed
          into it is sent or kept.
        </p>
      </LegalSection>
      <LegalSection title="Other companies">
        <p>
          <strong>Videos.</strong> Some blog posts contain a video from YouTube or Vimeo. When you open such a post, the
          player comes from that company, which then learns your internet address and may set cookies of its own. Videos
          appear in posts only, nowhere else on this site.
        </p>
        <p>
          <strong>Links.</strong> Our ticket portal, our social pages, and other sites that we link to are run under
          their own privacy policies. They learn nothing from us until you follow the link.
        </p>
        <p>
          <strong>Service providers.</strong> The companies that host this website and carry our email process data for
          us, and only for that purpose. We share nothing else unless the law requires it, and we never sell personal
          information.
        </p>
      </LegalSection>
      <LegalSection title="Your choices">
        <p>
          You can ask us what we hold about you, and ask for a copy, a correction, or its deletion. Write to{' '}
          <a href={`mailto:${site.email}`}>{site.email}</a> from the address it concerns, or call and we’ll find another
          way to be sure that it’s you. Depending on where you live, you may also have the right to object to a use or
          to complain to a data protection authority. We treat everyone’s request the same way, wherever they live.
        </p>
      </LegalSection>
      <LegalSection title="Children">
        <p>
          This site is meant for businesses. We don’t knowingly collect anything about children under 13; if we have,
          tell us and we’ll delete it.
        </p>
      </LegalSection>
      <LegalSection title="Changes">
        <p>
          When what we do changes, this page changes first, with a new date at its top. We won’t make it less protective
          for data that we already hold without asking the people it belongs to.
        </p>
      </LegalSection>
    </LegalPage>
  );
}

/** Says that nothing is counted, and what numbers of an earlier time are. */
function UncountedReads() {
  return (
    <p>
      <strong>No counting.</strong> We don’t count what is read. If we did so at an earlier time, there are still
      numbers of how often a post was read; they say nothing of anyone who read it.
    </p>
  );
}

/** Says what is counted, as long as it is. */
function CountedReads({ days }: { readonly days: number }) {
  return (
    <p>
      <strong>Counted reads.</strong> When you read a post of our blog, your browser tells our server which post it was
      and, if a link on another site led you here, the name of that site. We add one to the number of that post, day and
      site, and keep nothing else of it: no cookie, no internet address, nothing about your device. We keep these
      numbers by day for about {days} days, and by month after that. To keep programs from making numbers up, we count
      in memory for one minute how many reads come from an internet address. Your browser tells us nothing when it asks
      not to be tracked (Do Not Track or Global Privacy Control), or when you are signed in.
    </p>
  );
}
