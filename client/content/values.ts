import type { GlyphName } from '../../src/shared/glyphs.js';

/** One of the company's values, for the About page. */
export interface CompanyValue {
  readonly glyph: GlyphName;
  readonly title: string;
  readonly description: string;
}

/** The four values of About Us, in the order of product.md 2.5. */
export const companyValues: readonly CompanyValue[] = [
  {
    glyph: 'shield',
    title: 'Reliability',
    description:
      'We do what we said we would, and we tell you early when we can’t. A request is somebody’s job from the moment it arrives, and it stays open until your work runs again.',
  },
  {
    glyph: 'chat',
    title: 'Simplicity',
    description:
      'One price, one contact, plain words. Technology is complicated enough, so our part of it should fit into a sentence.',
  },
  {
    glyph: 'price',
    title: 'Affordability',
    description:
      'A flat price per user that a small company can plan a year around, with top-tier security inside it rather than sold on top.',
  },
  {
    glyph: 'partnership',
    title: 'Partnership',
    description:
      'We learn how your business works and give you the advice we would want ourselves, including the times when the right answer is to buy nothing.',
  },
];
