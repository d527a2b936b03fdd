import { beforeAll, describe, expect, it } from '@jest/globals';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { AuthClient } from '@supabase/auth-js';
import type { Page } from 'playwright-core';
import { AccessTokenService } from '../../src/auth/tokens/access-token.service.js';
import { startApplication, type ApplicationSite } from '../support/application-site.js';
import { startAuthServer, type AuthServer } from '../support/auth-server.js';
import { openPage } from '../support/browser.js';
import { CHAPTERS, PAGES_ONLY } from '../support/client-chapters.js';
import { methodsOf, surround, type Helpers } from '../support/client-surroundings.js';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startIdentityProvider,
  Wanderer,
  type IdentityProvider,
} from '../support/identity-provider.js';
import { authenticatorOf } from '../support/second-factor.js';
import { itSlow } from '../support/slow-tests.js';
import { SoftwareAuthenticator } from '../support/software-authenticator.js';

const SITE = 'http://site.test';
const PHONES = Array.from({ length: 9 }, (_, number) => `49151000000${number}`);

// The published client, each of its methods, in Node and in a browser, against one server.
describe('the published client', () => {
  let server: AuthServer;
  let provider: IdentityProvider;
  let application: ApplicationSite;
  let serviceToken: string;
  let helpers: Helpers;

  beforeAll(async () => {
    provider = await startIdentityProvider(`${SITE}/auth/v1/callback`);
    server = await startAuthServer({
      AUTH_OIDC_ISSUER: provider.issuer,
      AUTH_OIDC_CLIENT_ID: CLIENT_ID,
      AUTH_OIDC_CLIENT_SECRET: CLIENT_SECRET,
      AUTH_MANUAL_LINKING: 'true',
      AUTH_ANONYMOUS_ENABLED: 'true',
      AUTH_PHONE_ENABLED: 'true',
      AUTH_PHONE_FACTORS_ENABLED: 'true',
      AUTH_SMS_TEST_OTP: PHONES.map((phone) => `${phone}:424242`).join(','),
      AUTH_WEBAUTHN_ENABLED: 'true',
      AUTH_PASSKEYS_ENABLED: 'true',
      AUTH_WEBAUTHN_RP_ID: 'localhost',
      AUTH_RATE_LIMIT_SSO: '0',
      AUTH_RATE_LIMIT_WEB3: '0',
      AUTH_RATE_LIMIT_SMS: '0',
    });
    application = await startApplication(() => server.url);
    // An IP address cannot be a relying party, and the port is known only now.
    const origin = application.origin.replace('127.0.0.1', 'localhost');
    Object.assign(server.app.config.auth.webauthn, { origins: [origin] });
    serviceToken = (await server.app.get(AccessTokenService).issueServiceToken(3600)).token;
    helpers = helpersFor(origin);
  });

  function helpersFor(origin: string): Helpers {
    const authenticator = new SoftwareAuthenticator(origin);
    const phones = [...PHONES];
    let count = 0;
    const newColleague = () => {
      const sub = `colleague-${(count += 1)}`;
      const claims = { email: `${sub}@example.com`, email_verified: true, name: sub };
      provider.people.set(sub, claims);
      return { sub, ...claims };
    };
    return {
      newEmail: () => Promise.resolve(server.newEmail()),
      newPhone: () => Promise.resolve(phones.pop() ?? ''),
      readMail: async (email) => {
        const { otp, query } = await server.mailbox.read(email);
        return { otp, tokenHash: query.get('token_hash') ?? '' };
      },
      advance: (seconds) => Promise.resolve(server.advance(seconds)),
      appCode: (secret) => {
        server.advance(31);
        return Promise.resolve(authenticatorOf(server, '', secret).code());
      },
      followLink: async (token, type) => {
        const { headers } = await server.call(`/verify?${new URLSearchParams({ token, type }).toString()}`);
        return new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
      },
      followProvider: async (url) => {
        provider.guest = newColleague().sub;
        const places = { [SITE]: new URL(server.url).origin, [provider.issuer]: provider.issuer };
        const end = await new Wanderer(places).follow(url.replace(server.url, `${SITE}/auth/v1`));
        return end.searchParams.get('code') ?? '';
      },
      idToken: async () => {
        const iat = Math.floor(Date.now() / 1000);
        return await provider.sign({ iss: provider.issuer, aud: CLIENT_ID, iat, exp: iat + 86_400, ...newColleague() });
      },
      createCredential: (options) =>
        Promise.resolve(authenticator.create(options as PublicKeyCredentialCreationOptionsJSON)),
      getCredential: (challenge, rpId) => Promise.resolve(authenticator.get({ challenge, rpId })),
    };
  }

  it('is answered in Node, each of its methods', async () => {
    const called = new Set<string>();
    const surroundings = surround(AuthClient, server.url, serviceToken, helpers, called);
    for (const [name, chapter] of Object.entries(CHAPTERS)) {
      await chapter(surroundings).catch((error: unknown) => {
        throw new Error(`in the chapter of ${name}`, { cause: error });
      });
    }
    // These ask for a key at the browser (PAGES_ONLY).
    const keys = /^(?:signInWithPasskey|registerPasskey|mfa\.webauthn\..*)$/;
    expect(called).toEqual(new Set(methodsOf(server.client()).filter((name) => !keys.test(name))));
  });

  itSlow('is answered in a browser, each of its methods', async () => {
    const page = await openPage({ expectedComplaints: [/4\d\d/] });
    await addAuthenticator(page);
    await page.goto(application.page('implicit').replace('127.0.0.1', 'localhost'));
    await page.exposeFunction('help', async (name: keyof Helpers, parameters: readonly unknown[]) => {
      return await (helpers[name] as (...all: readonly unknown[]) => Promise<unknown>)(...parameters);
    });
    const names = JSON.stringify(Object.keys(helpers));
    await page.evaluate(`(async () => {
      const { AuthClient } = await import('/client/index');
      const helpers = Object.fromEntries(${names}.map((name) => [name, (...all) => window.help(name, all)]));
      window.called = new Set();
      const surround = ${surround.toString()};
      window.surroundings = surround(AuthClient, ${JSON.stringify(server.url)}, ${JSON.stringify(serviceToken)}, helpers, window.called);
    })()`);
    for (const [name, chapter] of Object.entries({ ...CHAPTERS, ...PAGES_ONLY })) {
      await page.evaluate(`(${chapter.toString()})(window.surroundings)`).catch((error: unknown) => {
        throw new Error(`in the chapter of ${name}`, { cause: error });
      });
    }
    const called = await page.evaluate<string[]>('[...window.called]');
    expect(new Set(called)).toEqual(new Set(methodsOf(server.client())));
  });

  /** A key that is touched at once, by whom it knows. */
  async function addAuthenticator(page: Page) {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'usb',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  }
});
