import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../config/config.js';
import { toMoment } from '../../site/site.service.js';
import { toAccentTokens } from '../../shared/accent.js';
import type { AuthMailAction, AuthMailJob, MintedToken } from '../mail-job.js';
import { renderAuthMail } from './auth-mail.js';

const { site } = toMoment(loadConfig({ PUBLIC_URL: 'https://it.example', SITE_NAME: 'Cables & Co' }), {});
const token: MintedToken = {
  to: 'ada@example.com',
  otp: '042137',
  tokenHash: 'pkce_0123abcd',
  verificationType: 'signup',
  redirectTo: 'https://it.example/welcome?a=1&b=2',
  validForSeconds: 3600,
};

function render(action: AuthMailAction, changes: Partial<MintedToken> = {}, to: AuthMailJob['to'] = 'current') {
  const job: AuthMailJob = { kind: 'auth', action, userId: 'id', to, redirectTo: '', isPkce: false };
  return renderAuthMail(job, { ...token, ...changes }, site);
}

/** The address that a program sees when it follows the button. */
function buttonOf(html: string): URL {
  const [, href = ''] = /<a class="button" href="([^"]*)"/.exec(html) ?? [];
  return new URL(href.replaceAll('&amp;', '&'));
}

const WITH_LINK = ['signup', 'recovery', 'magiclink', 'invite', 'email_change'] as const;
const ALL = [...WITH_LINK, 'reauthentication'] as const;

describe.each(ALL)('the mail for %s', (action) => {
  it('says who writes, the code, how long it holds and what to do if it was not asked for', () => {
    const { subject, text, html } = render(action);
    expect(subject).toContain('Cables & Co');
    for (const body of [text, html.replaceAll('&amp;', '&')]) {
      expect(body).toContain('042137');
      expect(body).toContain('1 hour');
      expect(body).toContain(site.phone);
      expect(body).toContain(site.email);
      expect(body).toContain('Cables & Co');
      expect(body).toMatch(/If you (did not ask for this|do not know what this is about)/);
    }
  });

  it('loads nothing, runs nothing and follows the theme of the reader', () => {
    const { html } = render(action);
    expect(html).not.toMatch(/<(script|img|link|iframe)|src=|url\(/);
    expect(html).toContain('prefers-color-scheme: dark');
    expect(html).toContain('<html lang="en">');
  });
});

it('has the colors of the company, and the green that the site comes with only without them', () => {
  const job: AuthMailJob = {
    kind: 'auth',
    action: 'signup',
    userId: 'id',
    to: 'current',
    redirectTo: '',
    isPkce: false,
  };
  const { light, dark } = toAccentTokens('#0b4f8a');
  const { html } = renderAuthMail(job, token, { ...site, accent: '#0b4f8a' });
  const green = Object.entries(toAccentTokens('#005e50')).flatMap(([, { primary }]) => primary);
  for (const color of [light.primary, dark.primary, light['primary-soft'], dark['primary-soft']])
    expect(html).toContain(color);
  for (const color of [...green, '#005e50', '#64d6b5', '#d7f1e8', '#103630']) expect(html).not.toContain(color);
  expect(render('signup').html).toContain('background:#005e50');
});

describe.each(WITH_LINK)('the link of the mail for %s', (action) => {
  it("leads to the site's own page, which spends the token only when its button is pressed", () => {
    const { html, text } = render(action);
    const url = buttonOf(html);
    expect(url.origin + url.pathname).toBe('https://it.example/auth/confirm');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      token_hash: 'pkce_0123abcd',
      type: 'signup',
      redirect_to: 'https://it.example/welcome?a=1&b=2',
    });
    expect(text).toContain(url.href);
  });

  it('leads to the contracted address where it is to', () => {
    const url = buttonOf(render(action, { verifyUrl: 'https://it.example/auth/v1/verify' }).html);
    expect(url.origin + url.pathname).toBe('https://it.example/auth/v1/verify');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      token: 'pkce_0123abcd',
      type: 'signup',
      redirect_to: 'https://it.example/welcome?a=1&b=2',
    });
  });
});

describe('mails of accounts', () => {
  it('have no link where a code is all there is', () => {
    const { html, text } = render('reauthentication');
    expect(html).not.toContain('class="button"');
    expect(html + text).not.toContain('pkce_0123abcd');
  });

  it('tell the present address what the new one is, and whom to call', () => {
    const present = render('email_change', { newAddress: 'new@example.com' });
    expect(present.text).toContain('new@example.com');
    expect(present.text).toContain(`call ${site.phone}`);
    expect(render('email_change', { newAddress: 'new@example.com' }, 'new').subject).toContain('new email address');
  });

  it('escape what comes from elsewhere', () => {
    const hostile = `"><script>alert(1)</script>'@x.example`;
    const { html } = render('email_change', { newAddress: hostile, otp: '<b>', redirectTo: `https://x/"><script>` });
    expect(html).not.toMatch(/<script|<b>/);
    expect(html).toContain('&quot;&gt;&lt;script&gt;');
  });

  it('cannot get a second header by way of the name of the company', () => {
    const job: AuthMailJob = {
      kind: 'auth',
      action: 'signup',
      userId: '',
      to: 'current',
      redirectTo: '',
      isPkce: false,
    };
    const { subject } = renderAuthMail(job, token, { ...site, name: 'We\r\nBcc: all@it.example' });
    expect(subject).toBe('Confirm your email address for We Bcc: all@it.example');
  });
});

it('says in an invitation who invites and to do what, as far as it is known', () => {
  const inviting = (by: string | null, standing: NonNullable<MintedToken['invitation']>['standing']) =>
    render('invite', { invitation: { by, standing }, validForSeconds: 604_800 }).text;
  const full = inviting('ada@it.company', { role: 'author', mayPublish: false });
  expect(full).toContain(
    'ada@it.company invites you to the website of Cables & Co: you are to write posts for its blog',
  );
  expect(full).toContain('an administrator publishes them');
  expect(full).toContain('Link and code hold for 7 days and work once.');
  expect(inviting('ada@it.company', { role: 'author', mayPublish: true })).toContain('and publish them');
  expect(inviting(null, { role: 'admin', mayPublish: true })).toContain('Cables & Co invites you');
  expect(inviting(null, { role: 'admin', mayPublish: true })).toContain('administer it');
  expect(inviting(null, null)).toContain('Cables & Co has prepared an account for you.');
  expect(inviting('ada@it.company', null)).toContain('ada@it.company has prepared an account for you at Cables & Co.');
});
