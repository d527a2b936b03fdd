import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../config/config.js';
import { companyFactNames, factSpec } from '../shared/contracts/company-facts.js';
import { toMoment } from '../site/site.service.js';
import { nearestOf } from '../shared/nearest.js';
import { readSettings, writeSettings } from './settings-yaml.js';

const HOSTILE = 'Ünï: "x" #no </script>{{a}} - [1]';

describe('a file of settings', () => {
  it('reads as what was written, whatever the texts are', () => {
    const content = {
      name: HOSTILE,
      partner_name: null,
      claim_clients: false,
      phone: '00123',
      social_x: '#',
      hours: 'yes',
    };
    const plans = [{ name: HOSTILE, price: 149.5, features: [{ text: '- a\n# b', mark: 'one' }] }];
    const pages = { pricing: { plans, lede: 'null' }, about: { story: `${HOSTILE}\n\n  two` } };
    expect(readSettings(writeSettings(toMoment(loadConfig({}), content).company, pages))).toEqual({
      company: content,
      pages: { 'pricing.plans': plans, 'pricing.lede': 'null', 'about.story': pages.about.story },
    });
    expect(readSettings('company:\n  phone: "1"\n')).toEqual({ company: { phone: '1' }, pages: {} });
  });

  it.each([
    ['company: [1', /^line 1: /],
    ['company:\n  name: a\n  name: b', /^line 3: .*unique/],
    ['', /^the file: must hold a line "company:"/],
    ['- a', /^the file: must hold/],
    ['company: 7', /^company: must have/],
    ['company: {}\npeople: {}', /^people: is no setting/],
    ['pages: 7', /^pages: must have pages/],
    ['pages: {pricing: 7}', /^pages.pricing: must have the texts/],
    [`a: &a [x]\nb: &b [*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b]\ncompany: {name: [*c,*c,*c]}`, /^the file: .*alias/i],
    ['x'.repeat(1_000_001), /larger than settings/],
  ])('is refused with a reason: %#', (text, reason) => {
    expect(() => readSettings(text)).toThrow(reason);
  });
});

it('the nearest name is that of a slip, and none is near to something else', () => {
  expect(nearestOf('phnoe', companyFactNames)).toBe('phone');
  expect(nearestOf('Legal_Nam', companyFactNames)).toBe('legal_name');
  expect(nearestOf('color', companyFactNames)).toBeUndefined();
  expect(nearestOf('x'.repeat(100_000), companyFactNames)).toBeUndefined();
});

it('facts have a limit where they are texts', () => {
  // A switch, a color and an address of ours are of one length.
  const texts = companyFactNames.filter((name) => !['switch', 'accent', 'picture'].includes(factSpec(name).kind));
  expect(texts.filter((name) => !factSpec(name).limit)).toEqual([]);
});
