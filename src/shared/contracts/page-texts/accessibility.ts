import { legalHead, legalSection } from './legal-fields.js';
import { definePage } from './fields.js';

/** Accessibility statement. */
export const accessibilityTexts = definePage('accessibility', {
  ...legalHead(
    'Accessibility Statement',
    '{company} wants everyone to be able to use this site. Our goal is WCAG 2.2 AA: what we do for it, the limits we know of, and how to report a barrier.',
    'Good support starts with being reachable. We want everyone to be able to read this site, find what they came for, and get in touch.',
  ),
  sections: {
    ...legalSection,
    fallback: [
      {
        title: 'Our goal',
        body: `We aim to meet the [Web Content Accessibility Guidelines (WCAG) 2.2](https://www.w3.org/TR/WCAG22/) at level AA on every page of this site.`,
      },
      {
        title: 'What we do for it',
        body: `- Everything can be reached and used with a keyboard alone, and the focus is always visible.
- Pages have one main heading, named regions, and a link that skips to the content.
- Text and controls have enough contrast in the light and in the dark theme.
- Text can be enlarged, and pages fit a narrow screen without scrolling sideways.
- Nothing moves by itself, and the little motion there is stops if your system asks for less.
- Forms name their fields, say what went wrong beside the field, and work with password managers.
- All public pages can be read without JavaScript.`,
      },
      {
        title: 'How we check',
        body: `We test every public page with an automated checker in both themes, on phone and desktop sizes, and try the site by keyboard. This statement rests on our own assessment; nobody outside the company has audited the site.`,
      },
      {
        title: 'Limits we know of',
        body: `- **Videos in posts** come from YouTube and Vimeo. We can’t change their players, and not every video by others has captions or an audio description.
- **Pictures in posts** are described by the post’s author. Older or imported posts may lack a description, or have one that says too little.
- **Long code samples and wide tables in posts** may need scrolling sideways within their own frame on a small screen.
- **The ticket portal** behind ‘Submit a Ticket’ is run by another company, and we can’t speak for it. You can always call or write to us instead.
- **The client portal** isn’t open yet. Its buttons on the [Client Resources](/client) page say so when they are pressed.`,
      },
      {
        title: 'Tell us about a barrier',
        body: `If something on this site doesn’t work for you, write to {email} or call {phone}. It helps to know the page, what you tried to do, and the device and assistive technology you use, but a single sentence is enough. We’ll get you what you needed in another way, and then fix the page.`,
      },
    ],
  },
});
