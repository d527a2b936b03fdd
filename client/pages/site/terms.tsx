import { paths } from '../../../src/shared/paths.js';
import { PhoneLink } from '../../components/facts-list.js';
import { termsDrawing } from '../../content/drawings/terms.js';
import { LegalPage, LegalSection } from '../../features/legal/legal-page.js';
import { useSite } from '../../lib/site-context.js';

export function Component() {
  const site = useSite();
  return (
    <LegalPage
      drawing={termsDrawing}
      title="Terms of Use"
      description={`The terms for using the website of ${site.name}: what its prices and articles mean, how accounts work, and what we are each responsible for.`}
      path={paths.terms}
      summary="These terms cover this website. The services we provide are covered by the agreement that each client signs with us."
    >
      <LegalSection title="Agreeing to these terms">
        <p>
          This website is run by {site.legalName} (“we”). By using it, you accept these terms. If you don’t, please
          don’t use the site; you can still call us at <PhoneLink phone={site.phone} />.
        </p>
      </LegalSection>
      <LegalSection title="What the site offers">
        <p>
          The site describes our services and prices, publishes articles, and gives you ways to reach us. Nothing on it
          is a binding offer. The prices on the <a href={paths.pricing}>pricing page</a> are upper limits per user or
          per device, with the exceptions stated there; what you pay is what your written agreement says.
        </p>
        <p>Sending us an inquiry, or talking it over with us, costs nothing and commits you to nothing.</p>
      </LegalSection>
      <LegalSection title="Articles are not advice for your case">
        <p>
          We write about IT as carefully as we can, but an article can’t know your systems, and technology changes after
          it was published. Before you change something that matters, make a backup, and ask someone who has seen your
          setup.
        </p>
      </LegalSection>
      <LegalSection title="Accounts">
        <p>
          If you create an account, use an email address that is yours, keep your password to yourself, and tell us if
          you think that someone else is using it. You may ask us to delete your account at any time. We may close one
          that is used to harm the site or other people.
        </p>
      </LegalSection>
      <LegalSection title="Fair use">
        <p>Please don’t:</p>
        <ul>
          <li>try to get into parts of the site that aren’t open to you, or get around its limits;</li>
          <li>overload it, or send automated messages through its forms;</li>
          <li>send us anything unlawful, or write to us in someone else’s name.</li>
        </ul>
        <p>
          If you find a weakness in our security, tell us at <a href={`mailto:${site.email}`}>{site.email}</a> and give
          us a chance to repair it. We’ll thank you for it.
        </p>
      </LegalSection>
      <LegalSection title="What belongs to whom">
        <p>
          The texts, drawings, and design of this site belong to {site.legalName} or to those who licensed them to us.
          You may read, print, link to, and quote them with their source. For any other use, ask us first. Names and
          trademarks of other companies belong to them, and we mention them only to say what we work with.
        </p>
        <p>What you send us stays yours. You allow us to use it to answer you.</p>
      </LegalSection>
      <LegalSection title="Links and videos">
        <p>
          Our ticket portal, our social pages, and some links and videos in articles are run by others. We chose them
          with care, but we don’t control them and can’t answer for them.
        </p>
      </LegalSection>
      <LegalSection title="What we can and can’t promise">
        <p>
          We work to keep this site correct and available, but we provide it as it is and can’t promise that it will
          always be either. As far as the law allows, we are not liable for losses that come from using the site or from
          relying on what it says. Nothing here limits a liability that the law does not let us limit, and nothing here
          limits what our agreement with a client promises that client.
        </p>
      </LegalSection>
      <LegalSection title="Law">
        <p>
          These terms are governed by the law of the place where {site.legalName} is established, without taking away
          the protection that the law of your own home gives you. If one of them can’t be applied, the others stay in
          force.
        </p>
      </LegalSection>
      <LegalSection title="Changes and questions">
        <p>
          When these terms change, the date at the top of this page changes with them. Questions about them are welcome
          at <a href={`mailto:${site.email}`}>{site.email}</a>. What we store about visitors is described in our{' '}
          <a href={paths.privacy}>privacy policy</a>.
        </p>
      </LegalSection>
    </LegalPage>
  );
}
