import { describe, expect, it } from '@jest/globals';
import { clientTexts } from '../../src/shared/contracts/page-texts/client.js';
import { promiseTexts } from '../../src/shared/contracts/page-texts/our-promise.js';
import { shownOf } from '../lib/page-texts.js';
import { hasPlaceholderLines, supportContactsOf } from './support.js';

const hours = 'Monday to Friday, 8 AM to 6 PM';
const phone = '(555) 010-0100';
const supportLines = { emergency: null, general: null, accounts: null };
const site = { hours, phone, supportLines, contactPerson: null, showsPlaceholders: true };
const { lines } = clientTexts.defaults;

function claims(aroundTheClock: boolean) {
  return { founded: true, clients: true, aroundTheClock };
}

const guaranteesOf = (own: ReturnType<typeof claims>) =>
  shownOf(promiseTexts.defaults.guarantees, { claims: own, contactPerson: null });
const linesOf = (own: Partial<typeof site> & { readonly claims: ReturnType<typeof claims> }) =>
  supportContactsOf({ ...site, ...own }, lines);

describe('lists that depend on what the company claims', () => {
  it('say 24/7 when the company is there around the clock', () => {
    expect(guaranteesOf(claims(true)).map(({ title }) => title)).toEqual([
      '100% Satisfaction Guarantee',
      'Top-Tier Security',
      'In-House-Like IT',
      '24/7 Monitoring',
    ]);
    expect(linesOf({ claims: claims(true) }).map(({ availability }) => availability)).toEqual([
      '24/7',
      'Mon-Fri 8AM-6PM',
      'Mon-Fri 9AM-5PM',
    ]);
  });

  it('keep all their entries and never say it otherwise', () => {
    const lists = [guaranteesOf(claims(false)), linesOf({ claims: claims(false) })];

    expect(lists.map((list) => list.length)).toEqual([4, 3]);
    expect(JSON.stringify(lists)).not.toMatch(/24\/7|day and night|around the clock/i);
    expect(lists[1]?.[0]).toMatchObject({ availability: '{hours}' });
  });

  it('have no placeholders on the site of a company', () => {
    const live = { ...site, claims: claims(true), showsPlaceholders: false };
    const numbersOf = (own: Partial<typeof supportLines | Record<string, string>>) =>
      linesOf({ ...live, supportLines: { ...supportLines, ...own } }).map(({ type, number }) => [type, number]);
    expect(numbersOf({})).toEqual([['Support', phone]]);
    expect(numbersOf({ general: '(555) 010-0177' })).toEqual([['General support', '(555) 010-0177']]);
    expect([live, { ...live, showsPlaceholders: true }].map((own) => hasPlaceholderLines(own, lines))).toEqual([
      false,
      true,
    ]);
  });
});
