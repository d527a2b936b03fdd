import { paths } from '../../../src/shared/paths.js';
import { PhoneLink } from '../../components/facts-list.js';
import { accessibilityDrawing } from '../../content/drawings/accessibility.js';
import { LegalPage, LegalSection } from '../../features/legal/legal-page.js';
import { useSite } from '../../lib/site-context.js';

export function Component() {
  const site = useSite();
  return (
    <LegalPage
      drawing={accessibilityDrawing}
      title="Accessibility Statement"
      description={`${site.name} wants everyone to be able to use this site. Our goal is WCAG 2.2 AA: what we do for it, the limits we know of, and how to report a barrier.`}
      path={paths.accessibility}
      summary="Good support starts with being reachable. We want everyone to be able to read this site, find what they came for, and get in touch."
    >
      <LegalSection title="Our goal">
        <p>
          We aim to meet the <a href="https://www.w3.org/TR/WCAG22/">Web Content Accessibility Guidelines (WCAG) 2.2</a>{' '}
          at level AA on every page of this site.
        </p>
      </LegalSection>
      <LegalSection title="What we do for it">
        <ul>
          <li>Everything can be reached and used with a keyboard alone, and the focus is always visible.</li>
          <li>Pages have one main heading, named regions, and a link that skips to the content.</li>
          <li>Text and controls have enough contrast in the light and in the dark theme.</li>
          <li>Text can be enlarged, and pages fit a narrow screen without scrolling sideways.</li>
          <li>Nothing moves by itself, and the little motion there is stops if your system asks for less.</li>
          <li>Forms name their fields, say what went wrong beside the field, and work with password managers.</li>
          <li>All public pages can be read without JavaScript.</li>
        </ul>
      </LegalSection>
      <LegalSection title="How we check">
        <p>
          We test every public page with an automated checker in both themes, on phone and desktop sizes, and try the
          site by keyboard. This statement rests on our own assessment; nobody outside the company has audited the site.
        </p>
      </LegalSection>
      <LegalSection title="Limits we know of">
        <ul>
          <li>
            <strong>Videos in posts</strong> come from YouTube and Vimeo. We can’t change their players, and not every
            video by others has captions or an audio description.
          </li>
          <li>
            <strong>Pictures in posts</strong> are described by the post’s author. Older or imported posts may lack a
            description, or have one that says too little.
          </li>
          <li>
            <strong>Long code samples and wide tables in posts</strong> may need scrolling sideways within their own
            frame on a small screen.
          </li>
          <li>
            <strong>The ticket portal</strong> behind ‘Submit a Ticket’ is run by another company, and we can’t speak
            for it. You can always call or write to us instead.
          </li>
          <li>
            <strong>The client portal</strong> isn’t open yet. Its buttons on the{' '}
            <a href={paths.client}>Client Resources</a> page say so when they are pressed.
          </li>
        </ul>
      </LegalSection>
      <LegalSection title="Tell us about a barrier">
        <p>
          If something on this site doesn’t work for you, write to <a href={`mailto:${site.email}`}>{site.email}</a> or
          call <PhoneLink phone={site.phone} />. It helps to know the page, what you tried to do, and the device and
          assistive technology you use, but a single sentence is enough. We’ll get you what you needed in another way,
          and then fix the page.
        </p>
      </LegalSection>
    </LegalPage>
  );
}
