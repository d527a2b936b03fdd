import { describe, expect, it } from '@jest/globals';
import { loadConfig, type Config } from '../config/config.js';
import { companyFactNames, companyFacts } from '../shared/contracts/company-facts.js';
import { toCompanyState } from './company-state.js';
import { findExamples, findLeftOut } from './example-facts.js';
import { toMoment } from './site.service.js';

const ALL = {
  SITE_NAME: 'Harbor & Sons',
  SITE_LEGAL_NAME: 'Harbor LLC',
  SITE_PHONE: '(555) 010-0199',
  SITE_EMAIL: 'desk@it.company',
  SITE_AREA_REMOTE: 'West',
  SITE_AREA_ONSITE: 'Bay',
  SITE_HOURS: 'Mon-Fri 9-5',
  SITE_HELP_DESK_URL: 'https://help.it.company/',
  SITE_PARTNER_NAME: 'Shield',
  SITE_PARTNER_URL: 'https://shield.company',
  SITE_PHONE_EMERGENCY: '1',
  SITE_PHONE_SUPPORT: '2',
  SITE_PHONE_ACCOUNTS: '3',
  SITE_CONTACT_PERSON: 'Ada',
  SITE_PRICE_FACTORS: 'Desks.',
  SITE_FIRST_30_DAYS: 'Lists.',
  SITE_GUARANTEE_TERMS: 'Free.',
  SITE_SOCIAL_LINKEDIN: 'https://l.company',
  SITE_SOCIAL_FACEBOOK: 'https://f.company',
  SITE_SOCIAL_INSTAGRAM: 'https://i.company',
  SITE_SOCIAL_X: 'https://x.company',
  SITE_CLAIM_FOUNDED: 'false',
  SITE_CLAIM_CLIENTS: 'false',
  SITE_CLAIM_AROUND_THE_CLOCK: 'false',
};

/** What every page held before there were settings, with the variables above, and without any. */
const BEFORE = {
  set: '{"name":"Harbor & Sons","legalName":"Harbor LLC","url":"http://localhost:3000","phone":"(555) 010-0199","email":"desk@it.company","areaRemote":"West","areaOnsite":"Bay","hours":"Mon-Fri 9-5","timeZone":"America/Los_Angeles","helpDeskUrl":"https://help.it.company","partner":{"name":"Shield","url":"https://shield.company"},"supportLines":{"emergency":"1","general":"2","accounts":"3"},"contactPerson":"Ada","priceFactors":"Desks.","first30Days":"Lists.","guaranteeTerms":"Free.","social":{"linkedin":"https://l.company","facebook":"https://f.company","instagram":"https://i.company","x":"https://x.company"},"accounts":{"url":"/auth/v1","codeLength":6,"passwordLength":6,"codeTries":5,"provider":null,"isLinkable":false,"hasSecurityKeys":false,"hasPhoneFactors":false,"hasPasskeys":false},"enquiryRetentionDays":30,"readCountsDays":90,"claims":{"founded":false,"clients":false,"aroundTheClock":false},"showsPlaceholders":true}',
  unset:
    '{"name":"Your IT Team","legalName":"Your IT Team","url":"http://localhost:3000","phone":"(555) 010-0100","email":"hello@example.com","areaRemote":"Anywhere","areaOnsite":"Southern California","hours":"Monday to Friday, 8 AM to 6 PM","timeZone":"America/Los_Angeles","helpDeskUrl":"https://help.example.com","partner":{"name":null,"url":null},"supportLines":{"emergency":null,"general":null,"accounts":null},"contactPerson":null,"priceFactors":null,"first30Days":null,"guaranteeTerms":null,"social":{"linkedin":"#","facebook":"#","instagram":"#","x":"#"},"accounts":{"url":"/auth/v1","codeLength":6,"passwordLength":6,"codeTries":5,"provider":null,"isLinkable":false,"hasSecurityKeys":false,"hasPhoneFactors":false,"hasPasskeys":false},"enquiryRetentionDays":30,"readCountsDays":90,"claims":{"founded":true,"clients":true,"aroundTheClock":true},"showsPlaceholders":true}',
};

/** Without the stamp of share images, which a new page and new words of one change too. */
const siteOf = (config: Config, content: unknown) =>
  JSON.stringify({ ...toMoment(config, content).site, shareStamp: undefined });

describe('the facts of the company', () => {
  it('look as they did when variables alone said them: before they are taken, after, and without the variables', () => {
    expect(companyFactNames.flatMap((name) => companyFacts[name].variable ?? []).sort()).toEqual(
      Object.keys(ALL).sort(),
    );
    const config = loadConfig(ALL);
    expect(siteOf(config, {})).toBe(BEFORE.set);
    expect(siteOf(config, config.company.values)).toBe(BEFORE.set);
    expect(siteOf(loadConfig({}), config.company.values)).toBe(BEFORE.set);
    expect(siteOf(loadConfig({}), {})).toBe(BEFORE.unset);
  });

  it('are as the setting says, then the variable, then nobody; but a locked one is as its variable says', () => {
    const { company } = loadConfig({
      SITE_PHONE: '1',
      SITE_EMAIL: 'a@it.company',
      SITE_LOCKED: 'SITE_EMAIL, SITE_NAME',
    });
    const content = { phone: '2', email: 'b@it.company', name: 'Other', partner_name: null };
    const { values, sources, ignored } = toCompanyState(company, content);
    expect(values).toMatchObject({ phone: '2', email: 'a@it.company', name: 'Your IT Team' });
    expect(sources).toMatchObject({
      phone: 'setting',
      email: 'locked',
      name: 'locked',
      hours: 'fallback',
      partner_name: 'setting',
    });
    expect(ignored).toEqual(['phone']);
    expect(toCompanyState(company, { phone: '1' }).ignored).toEqual([]);
    expect(toCompanyState(company, {}).sources).toMatchObject({ phone: 'variable' });
  });

  it('leave aside what they cannot use of a setting', () => {
    const { company } = loadConfig({});
    const before = toCompanyState(company, {});
    for (const content of [null, 7, 'x', [], { phone: 7, claim_clients: 'no', email: null, later: { a: 1 } }]) {
      expect(toCompanyState(company, content)).toEqual(before);
    }
    expect(() => loadConfig({ SITE_LOCKED: 'SITE_PHONE,PHONE' })).toThrow(
      'SITE_LOCKED: names what is no variable of the company: PHONE',
    );
  });

  it('are examples as long as nobody says them, and where nobody can be reached', () => {
    const secrets = { AUTH_JWT_KEYS: 'generated', AUTH_TOKEN_SECRET: 'generated', SMTP_URL: 'smtp://mail.company' };
    const env = { NODE_ENV: 'production', PUBLIC_URL: 'https://it.company', DATABASE_URL: 'embedded', ...secrets };
    const own = { SITE_EMAIL: 'desk@it.company' };
    const examples = (more: Record<string, string>, content: unknown = {}) => {
      const config = loadConfig({ ...env, ...own, ...more });
      return findExamples(config, toCompanyState(config.company, content));
    };
    expect(examples({})).toEqual(
      expect.arrayContaining(['SITE_NAME', 'SITE_PHONE', 'SITE_HELP_DESK_URL', 'SITE_CLAIM_CLIENTS']),
    );
    expect(examples({}, { phone: '(555) 010-0100' })).not.toContain('SITE_PHONE');
    expect(examples({})).toContain('SITE_HOURS');
    expect(examples({}, { open_monday: '08:00-12:00' })).not.toContain('SITE_HOURS');
    const claims = { SITE_CLAIM_FOUNDED: 'true', SITE_CLAIM_CLIENTS: 'true' };
    const whole = { ...ALL, ...claims };
    expect(examples(whole)).toEqual([]);
    // Set, and nobody reads mail there all the same.
    expect(examples({ ...whole, SITE_EMAIL: 'me@example.org' })).toEqual(['SITE_EMAIL']);
    expect(examples({ ...whole, CONTACT_TO: 'me@mail.example.com', MAIL_FROM: 'Us <us@site.test>' })).toEqual([
      'CONTACT_TO',
      'MAIL_FROM',
    ]);
    expect(examples({ ...whole, SITE_HELP_DESK_URL: 'https://help.example.com/tickets' })).toEqual([
      'SITE_HELP_DESK_URL',
    ]);
    // Locked, so that nobody can say it elsewhere, and said nowhere: visitors would call a number that nobody has.
    const { SITE_PHONE: _, ...unsaid } = whole;
    expect(examples({ ...unsaid, SITE_LOCKED: 'SITE_NAME,SITE_PHONE' }, { phone: '(212) 555-0142' })).toEqual([
      'SITE_PHONE (SITE_LOCKED names it, and it is not set)',
    ]);
    const inDevelopment = loadConfig({});
    expect(findExamples(inDevelopment, toCompanyState(inDevelopment.company, {}))).toEqual([]);
  });

  it('leave out of pages what is not set, but not where placeholders show it', () => {
    const variables = { SITE_SOCIAL_X: '#', SITE_PARTNER_NAME: 'Shieldworks' };
    const leftOut = (showsPlaceholders: boolean) => {
      const config = loadConfig(variables, { showsPlaceholders });
      return findLeftOut(config, toCompanyState(config.company, { contact_person: 'Ada' }));
    };
    expect(leftOut(false)).toEqual(expect.arrayContaining(['SITE_SOCIAL_X', 'SITE_FIRST_30_DAYS']));
    expect(leftOut(false)).not.toEqual(expect.arrayContaining(['SITE_PARTNER_NAME']));
    expect(leftOut(false)).not.toContain('SITE_CONTACT_PERSON');
    expect(leftOut(true)).toEqual([]);
  });
});
