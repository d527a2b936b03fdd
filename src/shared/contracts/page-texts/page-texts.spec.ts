import { describe, expect, it } from '@jest/globals';
import { sitePaths } from '../../site-pages.js';
import { glyphs } from '../../glyphs.js';
import type { PageField } from './fields.js';
import { editedPages, placeholdersFor, textFields, textsOf } from './page-texts.js';
import { fillText, placeholdersOf } from './placeholders.js';
import { formatPrice } from './prices.js';
import { readRichText } from './rich-text.js';
import { cleanValue, findMisfits, findTextProblems, readPrice, toUsable, type AllTexts } from './text-input.js';

const defaults = Object.fromEntries(editedPages.map((page) => [page, textsOf(page).defaults])) as unknown as AllTexts;

describe('the texts of pages', () => {
  it('follow their own rules as they come, and stay as they are when they are cleaned', () => {
    for (const [name, field] of textFields) {
      expect(findTextProblems(field.page, field, field.fallback, name)).toEqual([]);
      expect([name, cleanValue(field, field.fallback)]).toEqual([name, field.fallback]);
      expect([name, toUsable(field, JSON.parse(JSON.stringify(field.fallback)))]).toEqual([name, field.fallback]);
      expect(field.label).toMatch(/^[A-Z]/);
    }
    expect(findMisfits(defaults)).toEqual([]);
  });

  it('lead to pages of this site, where they lead anywhere on it', () => {
    const text = JSON.stringify(defaults);
    const addresses = [...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, address]) => address);
    expect(addresses.length).toBeGreaterThan(2);
    expect(Object.values<string>(sitePaths)).toEqual(expect.arrayContaining(addresses));
  });

  it.each([
    ['150', 150],
    [' $149.05 ', 149.05],
    ['149,05', 149.05],
    ['149,5', 149.5],
    ['149,', '149,'],
    ['1,000', '1,000'],
    ['1,000.50', '1,000.50'],
    ['a lot', 'a lot'],
  ])('read %j as %j where they are a price', (typed, value) => {
    expect(readPrice(typed)).toBe(value);
  });

  it('are refused with the place of every fault', () => {
    const problems = (name: string, value: unknown) => {
      const field = textFields.get(name)!;
      return findTextProblems(field.page, field, cleanValue(field, value), name).map(
        ({ path, message }) => `${path}: ${message}`,
      );
    };
    const plan = { name: 'One', price: 10, unit: 'user', period: 'month', summary: 'All.', features: [] };
    expect(problems('pricing.plans', [plan, { ...plan, price: -1 }])).toEqual([
      'pricing.plans[1].price: The most it costs must be a number from 0 to 1000000, with two decimals at most',
    ]);
    expect(
      problems('pricing.plans', [
        { ...plan, price: 1.234 },
        { ...plan, price: '12.50' },
      ]),
    ).toHaveLength(1);
    expect(problems('pricing.plans', [])).toEqual(['pricing.plans: Plans needs a plan at least']);
    expect(problems('pricing.plans', [{ ...plan, features: [{ text: 'x', mark: 'three' }] }])[0]).toMatch(
      /^pricing\.plans\[0\]\.features\[0\]\.mark: .*must be one of none, one, two$/,
    );
    expect(problems('pricing.plans', [{ ...plan, colour: 1 }])[0]).toMatch(
      /plans\[0\]\.colour: there is no such field/,
    );
    expect(problems('home.services', 'none')).toEqual(['home.services: Services must be a list']);
    expect(problems('home.services', Array(31).fill(null))[0]).toContain('too many entries (30 at most)');
    expect(problems('home.lede', '')).toEqual(['home.lede: Introduction is required']);
    expect(problems('home.lede', 7)).toEqual(['home.lede: Introduction must be a text']);
    expect(problems('home.lede', '€'.repeat(401))[0]).toContain('too long (400 characters at most)');
    expect(problems('home.lede', 'Only {price_9}')[0]).toContain('{price_9}, which stands for nothing here');
    expect(problems('about.lede', 'Only {price_1}')[0]).toContain('{price_1}');
    expect(problems('about.story', '[x](javascript:alert)')[0]).toContain('leads nowhere: javascript:alert');
    expect(problems('privacy.sections', [{ title: 'A', body: 'B {reads}' }])[0]).toContain('{enquiry_days}');
    expect(problems('privacy.sections', [{ title: 'A', body: '{reads}\n\n{enquiry_days}' }])).toEqual([]);
    const one = { ...defaults, pricing: { ...defaults.pricing, plans: [plan] } };
    expect(findMisfits(one).map(({ path }) => path)).toEqual(['pricing.description', 'notSure.doubts']);
  });

  it('are left aside where a release cannot use them, and completed where it has new fields', () => {
    const { of } = textFields.get('pricing.plans') as PageField & { kind: 'list' };
    const field = {
      kind: 'list',
      label: 'x',
      entry: 'x',
      of: { ...of, note: { kind: 'lines', label: 'N', limit: 9 } },
    } as const;
    const plan = { later: 1, name: 'One', price: 10, unit: 'user', period: 'month', summary: '{later}', features: [] };
    const { later: _, ...known } = plan;
    expect(toUsable(field, [plan])).toEqual([{ ...known, note: [] }]);
    for (const value of [null, {}, 'x', [7], [{ ...plan, price: 'ten' }], [{ ...plan, name: undefined }]]) {
      expect(toUsable(field, value)).toBeUndefined();
    }
    expect(toUsable(textFields.get('home.lede')!, '€'.repeat(5000))).toHaveLength(5000);
  });

  it('say facts in the place of their placeholders, and nothing that a fact says is one', () => {
    const facts = { company: '{phone}', phone: '$& $1' };
    expect(fillText('{company} at {phone}, {unknown} {constructor}', facts)).toBe(
      '{phone} at $& $1, {unknown} {constructor}',
    );
    expect(placeholdersOf('{a} {a_1} { b } {C}')).toEqual(['a', 'a_1']);
    expect(placeholdersFor('home', { kind: 'price', label: 'x' })).toEqual({});
    expect([150, 149.5, 0].map(formatPrice)).toEqual(['$150', '$149.50', '$0']);
    expect(Object.keys(glyphs)).toContain('price');
  });

  it('have paragraphs, lists, links and marks where they are rich, and nothing else', () => {
    expect(readRichText('One\ntwo **b** `c`\n- [x](/about)\n- y\n\n<b>[z](javascript:1) [w](//evil.test)')).toEqual([
      {
        kind: 'paragraph',
        parts: [
          { kind: 'text', text: 'One two ' },
          { kind: 'strong', text: 'b' },
          { kind: 'text', text: ' ' },
          { kind: 'code', text: 'c' },
        ],
      },
      { kind: 'list', items: [[{ kind: 'link', text: 'x', href: '/about' }], [{ kind: 'text', text: 'y' }]] },
      { kind: 'paragraph', parts: [{ kind: 'text', text: '<b>[z](javascript:1) [w](//evil.test)' }] },
    ]);
    for (const hostile of ['[a'.repeat(20_000), '**'.repeat(20_000), '`'.repeat(20_001), '[x](y'.repeat(9_000)]) {
      expect(readRichText(hostile).length).toBe(1);
    }
  });
});
