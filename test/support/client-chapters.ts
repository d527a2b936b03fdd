import type { GoTrueClientOptions } from '@supabase/auth-js';
import type { Client } from './auth-server.js';
import type { AuthenticatorAnswer } from './software-authenticator.js';

/** The data of answers that are no error. */
type Good<A extends { readonly data: unknown }> = Extract<A, { readonly error: null }>['data'];

/** The surroundings of the client of a chapter, in Node and in a page alike, with all that a page cannot do by itself. */
export interface Surroundings {
  /** A new client with a storage of its own, the calls of which are noted. */
  readonly newClient: (options?: Partial<GoTrueClientOptions>) => Client;
  /** Lets the stored session of a client end in a minute, by the clock of its device. */
  readonly hasten: (client: Client) => void;
  readonly newEmail: () => Promise<string>;
  readonly newPhone: () => Promise<string>;
  /** The next mail to somebody. */
  readonly readMail: (email: string) => Promise<{ readonly otp: string; readonly tokenHash: string }>;
  /** Lets time pass for the server, in seconds. */
  readonly advance: (seconds: number) => Promise<void>;
  /** The code that an authenticator app shows, in a step that no code was shown in before. */
  readonly appCode: (secret: string) => Promise<string>;
  /** The code in the place of `code` where the link of a mail leads to. */
  readonly followLink: (tokenHash: string, type: string) => Promise<string>;
  /** The code where somebody new at the provider is led to. */
  readonly followProvider: (url: string) => Promise<string>;
  /** An ID token of somebody new at the provider. */
  readonly idToken: () => Promise<string>;
  readonly createCredential: (options: unknown) => Promise<AuthenticatorAnswer>;
  readonly getCredential: (challenge: string, rpId: string) => Promise<AuthenticatorAnswer>;
  readonly serviceToken: string;
  /** The data of an answer, which is no error. */
  readonly good: <A extends { readonly data: unknown; readonly error: unknown }>(answer: A) => Good<A>;
  /** Fails unless both are the same as JSON. */
  readonly same: (actual: unknown, expected: unknown) => void;
}

// Every flow of the published client, to its end. Each function runs in Node and, sent as its text, in a page: it knows
// nothing but its parameter.

async function passwords({ newClient, newEmail, readMail, good, same, hasten, advance }: Surroundings) {
  const [email, password] = [await newEmail(), 'correct horse 7'];
  const auth = newClient();
  const told: string[] = [];
  same((await auth.initialize()).error, null);
  const { subscription } = auth.onAuthStateChange((event) => void told.push(event)).data;
  same(good(await auth.signUp({ email, password, options: { data: { name: 'Ada' } } })).session, null);
  await readMail(email);
  await advance(61);
  good(await auth.resend({ type: 'signup', email }));
  const { otp } = await readMail(email);
  good(await auth.verifyOtp({ email, token: otp, type: 'signup' }));
  same(good(await auth.getUser()).user.user_metadata['name'], 'Ada');
  const { session } = good(await auth.getSession());
  same(good(await auth.getClaims())?.claims.sub, session!.user.id);
  same(good(await auth.updateUser({ data: { name: 'Ada L.' } })).user.user_metadata['name'], 'Ada L.');
  same((await auth.reauthenticate()).error, null);
  const { otp: nonce } = await readMail(email);
  good(await auth.updateUser({ password: 'another horse 8', nonce }));
  const first = good(await auth.refreshSession()).session!;
  same(first.refresh_token === session!.refresh_token, false);
  const other = newClient();
  good(await other.setSession(first));
  await auth.stopAutoRefresh();
  // What is over in a minute is refreshed without being asked for.
  hasten(auth);
  const refreshed = new Promise<void>((resolve) => {
    auth.onAuthStateChange((event, now) => {
      if (event === 'TOKEN_REFRESHED' && now?.refresh_token !== first.refresh_token) resolve();
    });
  });
  await auth.startAutoRefresh();
  await refreshed;
  await auth.stopAutoRefresh();
  same((await auth.signOut({ scope: 'global' })).error, null);
  same((await other.getUser()).error?.name, 'AuthSessionMissingError');
  same((await auth.signInWithPassword({ email, password })).error?.code, 'invalid_credentials');
  good(await auth.signInWithPassword({ email, password: 'another horse 8' }));
  subscription.unsubscribe();
  same([...new Set(told)].sort(), ['INITIAL_SESSION', 'SIGNED_IN', 'SIGNED_OUT', 'TOKEN_REFRESHED', 'USER_UPDATED']);
  same(auth.isThrowOnErrorEnabled(), false);
  await auth.dispose();
}

async function links({ newClient, newEmail, readMail, advance, followLink, good, same }: Surroundings) {
  const [email, address] = [await newEmail(), await newEmail()];
  const auth = newClient({ flowType: 'pkce' });
  good(await auth.signInWithOtp({ email }));
  good(await auth.exchangeCodeForSession(await followLink((await readMail(email)).tokenHash, 'signup')));
  await advance(61);
  good(await auth.signInWithOtp({ email, options: { shouldCreateUser: false } }));
  good(await auth.verifyOtp({ token_hash: (await readMail(email)).tokenHash, type: 'magiclink' }));
  await advance(61);
  good(await auth.resetPasswordForEmail(email));
  const told: string[] = [];
  auth.onAuthStateChange((event) => void told.push(event));
  good(await auth.exchangeCodeForSession(await followLink((await readMail(email)).tokenHash, 'recovery')));
  same(told.includes('PASSWORD_RECOVERY'), true);
  good(await auth.updateUser({ email: address }));
  const [former, latter] = [await readMail(email), await readMail(address)];
  same(good(await auth.verifyOtp({ email, token: former.otp, type: 'email_change' })).session, null);
  same(good(await auth.verifyOtp({ email: address, token: latter.otp, type: 'email_change' })).user?.email, address);
}

async function phones({ newClient, newPhone, advance, good, same }: Surroundings) {
  const [phone, token] = [await newPhone(), '424242'];
  const auth = newClient();
  const { user } = good(await auth.signInAnonymously({ options: { data: { cart: 7 } } }));
  good(await auth.updateUser({ phone }));
  same(good(await auth.verifyOtp({ phone, token, type: 'phone_change' })).user?.id, user!.id);
  await advance(61);
  same(good(await auth.signInWithOtp({ phone })).messageId, 'test-otp');
  same(good(await auth.verifyOtp({ phone, token, type: 'sms' })).user?.is_anonymous, false);
}

async function providers({ newClient, followProvider, idToken, good, same }: Surroundings) {
  const auth = newClient({ flowType: 'pkce' });
  const there = { provider: 'custom:oidc' as const, options: { skipBrowserRedirect: true } };
  const { url } = good(await auth.signInWithOAuth(there));
  good(await auth.exchangeCodeForSession(await followProvider(url)));
  const linked = good(await auth.linkIdentity(there));
  good(await auth.exchangeCodeForSession(await followProvider(linked.url)));
  good(await auth.linkIdentity({ provider: there.provider, token: await idToken() }));
  const { identities } = good(await auth.getUserIdentities());
  same(identities.length, 3);
  good(await auth.unlinkIdentity(identities[1]!));
  same(good(await auth.getUserIdentities()).identities.length, 2);
  const other = newClient();
  same(
    good(await other.signInWithIdToken({ provider: there.provider, token: await idToken() })).user.aud,
    'authenticated',
  );
}

async function factors({ newClient, newEmail, newPhone, readMail, appCode, advance, good, same }: Surroundings) {
  const email = await newEmail();
  const auth = newClient();
  good(await auth.signUp({ email, password: 'correct horse 7' }));
  good(await auth.verifyOtp({ email, token: (await readMail(email)).otp, type: 'email' }));
  const { id: factorId, totp } = good(await auth.mfa.enroll({ factorType: 'totp' }));
  same(totp.qr_code.startsWith('data:image/svg+xml;utf-8,<svg'), true);
  const { id: challengeId } = good(await auth.mfa.challenge({ factorId }));
  good(await auth.mfa.verify({ factorId, challengeId, code: await appCode(totp.secret) }));
  const level = async () => {
    const { currentLevel, nextLevel } = good(await auth.mfa.getAuthenticatorAssuranceLevel());
    return [currentLevel, nextLevel];
  };
  same(await level(), ['aal2', 'aal2']);
  const phone = await newPhone();
  const further = good(await auth.mfa.enroll({ factorType: 'phone', phone, friendlyName: 'phone' }));
  const asked = good(await auth.mfa.challenge({ factorId: further.id }));
  good(await auth.mfa.verify({ factorId: further.id, challengeId: asked.id, code: '424242' }));
  const { codes } = good(await auth.mfa.recoveryCodes.generate());
  same((await auth.signOut()).error, null);
  good(await auth.signInWithPassword({ email, password: 'correct horse 7' }));
  same(await level(), ['aal1', 'aal2']);
  good(await auth.mfa.recoveryCodes.verify({ code: codes[0]! }));
  same(await level(), ['aal2', 'aal2']);
  same(good(await auth.mfa.recoveryCodes.getStatus()).remaining, 9);
  same(good(await auth.mfa.recoveryCodes.regenerate()).codes.length, 10);
  good(await auth.mfa.recoveryCodes.unenroll());
  await advance(61);
  good(await auth.mfa.challengeAndVerify({ factorId, code: await appCode(totp.secret) }));
  good(await auth.mfa.unenroll({ factorId: further.id }));
  same(
    good(await auth.mfa.listFactors()).all.map(({ id }) => id),
    [factorId],
  );
  good(await auth.mfa.unenroll({ factorId }));
  good(await auth.refreshSession());
  same(await level(), ['aal1', 'aal1']);
}

async function passkeys(surroundings: Surroundings) {
  const { newClient, newEmail, readMail, createCredential, getCredential, good, same } = surroundings;
  const email = await newEmail();
  const auth = newClient();
  good(await auth.signUp({ email, password: 'correct horse 7' }));
  good(await auth.verifyOtp({ email, token: (await readMail(email)).otp, type: 'email' }));
  const begun = good(await auth.passkey.startRegistration());
  const made = { challengeId: begun.challenge_id, credential: await createCredential(begun.options) };
  const { id: passkeyId } = good(await auth.passkey.verifyRegistration(made));
  same(good(await auth.passkey.update({ passkeyId, friendlyName: 'Laptop' })).friendly_name, 'Laptop');
  const later = newClient();
  const { challenge_id: challengeId, options } = good(await later.passkey.startAuthentication());
  const credential = await getCredential(options.challenge, options.rpId ?? '');
  same(good(await later.passkey.verifyAuthentication({ challengeId, credential })).user?.email, email);
  same(
    good(await later.passkey.list()).map(({ id }) => id),
    [passkeyId],
  );
  same((await later.passkey.delete({ passkeyId })).error, null);
  same(good(await later.passkey.list()), []);
}

async function programs(surroundings: Surroundings) {
  const { newClient, newEmail, readMail, appCode, createCredential, serviceToken, good, same } = surroundings;
  const { admin } = newClient({ headers: { Authorization: `Bearer ${serviceToken}` } });
  const [email, invited] = [await newEmail(), await newEmail()];
  const { user } = good(await admin.createUser({ email, email_confirm: true, user_metadata: { full_name: email } }));
  same(good(await admin.getUserById(user.id)).user.email, email);
  good(await admin.updateUserById(user.id, { password: 'correct horse 7' }));
  const ids: string[] = [];
  for (let page: number | null = 1; page !== null;) {
    const found = good(await admin.listUsers({ page, perPage: 5 })) as {
      readonly users: readonly { readonly id: string }[];
      readonly nextPage: number | null;
      readonly total: number;
    };
    ids.push(...found.users.map(({ id }) => id));
    page = found.nextPage;
    if (page === null) same([ids.length, new Set(ids).size], [found.total, found.total]);
  }
  same(ids.includes(user.id), true);

  good(await admin.inviteUserByEmail(invited, { data: { team: 'red' } }));
  const guest = newClient();
  good(await guest.verifyOtp({ token_hash: (await readMail(invited)).tokenHash, type: 'invite' }));
  const { properties } = good(await admin.generateLink({ type: 'magiclink', email }));
  const auth = newClient();
  good(await auth.verifyOtp({ token_hash: properties.hashed_token, type: 'magiclink' }));
  const enrolled = good(await auth.mfa.enroll({ factorType: 'totp' }));
  good(await auth.mfa.challengeAndVerify({ factorId: enrolled.id, code: await appCode(enrolled.totp.secret) }));
  const begun = good(await auth.passkey.startRegistration());
  const made = { challengeId: begun.challenge_id, credential: await createCredential(begun.options) };
  const { id: passkeyId } = good(await auth.passkey.verifyRegistration(made));
  const theirs = { userId: user.id };
  same(
    good(await admin.mfa.listFactors(theirs)).factors.map(({ id }) => id),
    [enrolled.id],
  );
  same((await admin.mfa.deleteFactor({ ...theirs, id: enrolled.id })).error, null);
  same(
    good(await admin.passkey.listPasskeys(theirs)).map(({ id }) => id),
    [passkeyId],
  );
  same((await admin.passkey.deletePasskey({ ...theirs, passkeyId })).error, null);
  const { session } = good(await auth.getSession());
  same((await admin.signOut(session!.access_token)).error, null);
  same((await auth.getUser()).error?.name, 'AuthSessionMissingError');
  good(await admin.deleteUser(user.id));
  same((await admin.getUserById(user.id)).error?.code, 'user_not_found');
}

async function refusals({ newClient, newEmail, readMail, serviceToken, good, same }: Surroundings) {
  const email = await newEmail();
  const auth = newClient();
  same((await auth.signInWithSSO({ domain: 'example.com' })).error?.code, 'saml_provider_disabled');
  const wallet = { chain: 'solana', message: 'x', signature: new Uint8Array(64) } as const;
  same((await auth.signInWithWeb3(wallet)).error?.code, 'web3_provider_disabled');
  good(await auth.signUp({ email, password: 'correct horse 7' }));
  good(await auth.verifyOtp({ email, token: (await readMail(email)).otp, type: 'email' }));
  const { admin } = newClient({ headers: { Authorization: `Bearer ${serviceToken}` } });
  const id = '11111111-2222-4333-8444-555555555555';
  const client = { redirect_uris: ['https://app.example'], client_name: 'x' };
  const { oauth, customProviders } = admin;
  const answers = [
    auth.oauth.getAuthorizationDetails(id),
    auth.oauth.approveAuthorization(id, { skipBrowserRedirect: true }),
    auth.oauth.denyAuthorization(id, { skipBrowserRedirect: true }),
    auth.oauth.listGrants(),
    auth.oauth.revokeGrant({ clientId: id }),
    oauth.listClients(),
    oauth.createClient(client),
    oauth.getClient(id),
    oauth.updateClient(id, { client_name: 'y' }),
    oauth.deleteClient(id),
    oauth.regenerateClientSecret(id),
  ];
  for (const answer of answers) same((await answer).error?.code, 'feature_disabled');
  const made = {
    provider_type: 'oidc',
    identifier: 'custom:x',
    name: 'x',
    client_id: 'x',
    client_secret: 'x',
  } as const;
  const others = [
    customProviders.listProviders(),
    customProviders.createProvider(made),
    customProviders.getProvider('custom:x'),
    customProviders.updateProvider('custom:x', { name: 'y' }),
    customProviders.deleteProvider('custom:x'),
  ];
  for (const answer of others) same((await answer).error?.code, 'not_found');
}

/** With the keys of a browser, which Node has not. */
async function keys({ newClient, newEmail, readMail, good, same }: Surroundings) {
  const email = await newEmail();
  const auth = newClient();
  good(await auth.signUp({ email, password: 'correct horse 7' }));
  good(await auth.verifyOtp({ email, token: (await readMail(email)).otp, type: 'email' }));
  const { webauthn } = auth.mfa;
  good(await webauthn.register({ friendlyName: 'key' }));
  const [key] = good(await auth.mfa.listFactors()).all;
  good(await auth.registerPasskey());
  same((await auth.signOut()).error, null);
  same(good(await auth.signInWithPasskey()).user?.email, email);
  good(await webauthn.authenticate({ factorId: key!.id }));
  same(good(await auth.mfa.getAuthenticatorAssuranceLevel()).currentLevel, 'aal2');
  good(await webauthn.enroll({ friendlyName: 'other' }));
  const site = { rpId: location.hostname, rpOrigins: [location.origin] };
  const asked = good(await webauthn.challenge({ factorId: key!.id, webauthn: site }));
  const { type, credential_response } = asked.webauthn;
  const answer = { type, credential_response, ...site } as Parameters<typeof webauthn.verify>[0]['webauthn'];
  good(await webauthn.verify({ factorId: key!.id, challengeId: asked.challengeId, webauthn: answer }));
  good(await auth.mfa.unenroll({ factorId: key!.id }));
  same(good(await auth.mfa.listFactors()).all, []);
}

/** All of them; those of `PAGES_ONLY` need a browser. */
export const CHAPTERS = { passwords, links, phones, providers, factors, passkeys, programs, refusals };
export const PAGES_ONLY = { keys };
