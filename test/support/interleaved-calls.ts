import { TOTP } from 'otpauth';
import {
  call,
  draw,
  drawAnswer,
  idTokenOf,
  keepSession,
  keepTokens,
  MOST,
  PASSWORDS,
  pick,
  PROVIDER,
  random,
  signIn,
  signInAtProvider,
  spend,
  woven,
  type App,
  type KeyOptions,
  type Person,
  type Session,
} from './interleaved-people.js';
import { SoftwareAuthenticator } from './software-authenticator.js';

/** The origin of the pages that keys are asked on. */
export const ORIGIN = 'https://www.example.com';

/** Each with a session of somebody, most of them with one of the authenticator apps as well. */
export const ACTIONS: Readonly<
  Record<string, (person: Person, session: Session, app: App | undefined) => Promise<void>>
> = {
  'sign in': signIn,
  refresh: async (_person, session) => {
    const token = random() < 0.9 ? session.refresh.at(-1) : pick(session.refresh);
    keepTokens(session, await call('refresh', 'POST', '/token?grant_type=refresh_token', '', { refresh_token: token }));
  },
  enroll: async (person, session) => {
    const body = { factor_type: 'totp', friendly_name: `app ${random()}` };
    const { status, body: made } = await call('enroll', 'POST', '/factors', session.access, body);
    if (status !== 200) return;
    const { secret } = made['totp'] as { readonly secret: string };
    person.apps = [...person.apps, { id: String(made['id']), secret, challenges: [], shown: [] }].slice(-MOST);
  },
  challenge: async (_person, session, app) => {
    if (!app) return;
    const { status, body } = await call('challenge', 'POST', `/factors/${app.id}/challenge`, session.access);
    if (status === 200) app.challenges.push(String(body['id']));
  },
  verify: async (person, session, app) => {
    if (!app) return;
    if (random() < 0.5) await ACTIONS['challenge']?.(person, session, app);
    const timestamp = woven.now + (pick([-1, 0, 0, 0, 1]) ?? 0) * 30_000;
    const code =
      (random() < 0.2 ? pick(app.shown) : undefined) ?? new TOTP({ secret: app.secret }).generate({ timestamp });
    app.shown.push(code);
    const body = { challenge_id: random() < 0.8 ? app.challenges.at(-1) : pick(app.challenges), code };
    const answer = await call('verify', 'POST', `/factors/${app.id}/verify`, session.access, body);
    if (answer.status === 200) spend(`${code} of ${app.id}`);
    keepTokens(session, answer);
  },
  'add key': async (person, session) => {
    const body = { factor_type: 'webauthn', friendly_name: `key ${random()}` };
    const { status, body: made } = await call('add key', 'POST', '/factors', session.access, body);
    if (status !== 200) return;
    const key = { id: String(made['id']), authenticator: new SoftwareAuthenticator(ORIGIN), answers: [] };
    person.keys = [...person.keys, key].slice(-MOST);
  },
  'show key': async (person, session) => {
    const key = draw(person.keys);
    if (!key) return;
    const site = { rpId: 'www.example.com', rpOrigins: [ORIGIN] };
    const path = `/factors/${key.id}/challenge`;
    const begun = random() < 0.9 && (await call('challenge', 'POST', path, session.access, { webauthn: site }));
    if (begun && begun.status === 200) {
      const { type, credential_options: options } = begun.body['webauthn'] as {
        readonly type: 'create' | 'request';
        readonly credential_options: { readonly publicKey: KeyOptions };
      };
      const { authenticator } = key;
      if (type === 'request' && authenticator.credential === undefined) return;
      const response =
        type === 'create' ? authenticator.create(options.publicKey) : authenticator.get(options.publicKey);
      const webauthn = { type, ...site, credential_response: response };
      key.answers.push(Object.assign({ challenge_id: String(begun.body['id']) }, { webauthn }));
    }
    const body = drawAnswer(key);
    if (!body) return;
    const answer = await call('show key', 'POST', `/factors/${key.id}/verify`, session.access, body);
    if (answer.status === 200) spend(`the challenge ${body.challenge_id}`);
    keepTokens(session, answer);
  },
  'add passkey': async (person, session) => {
    const begun = await call('begin passkey', 'POST', '/passkeys/registration/options', session.access, {});
    if (begun.status !== 200) return;
    const authenticator = new SoftwareAuthenticator(ORIGIN);
    const body = {
      challenge_id: begun.body['challenge_id'],
      credential: authenticator.create(begun.body['options'] as KeyOptions),
    };
    const answer = await call('add passkey', 'POST', '/passkeys/registration/verify', session.access, body);
    if (answer.status !== 200) return;
    person.passkeys = [...person.passkeys, { id: String(answer.body['id']), authenticator, answers: [] }].slice(-MOST);
  },
  'sign in with passkey': async (person) => {
    const passkey = draw(person.passkeys);
    if (!passkey) return;
    const begun = random() < 0.9 && (await call('begin passkey', 'POST', '/passkeys/authentication/options', '', {}));
    if (begun && begun.status === 200) {
      const credential = passkey.authenticator.get(begun.body['options'] as KeyOptions);
      passkey.answers.push(Object.assign({ challenge_id: String(begun.body['challenge_id']) }, { credential }));
    }
    const body = drawAnswer(passkey);
    if (!body) return;
    const answer = await call('sign in with passkey', 'POST', '/passkeys/authentication/verify', '', body);
    if (answer.status === 200) spend(`the challenge ${body.challenge_id}`);
    keepSession(person, answer);
  },
  'remove passkey': async (person, session) => {
    const passkey = pick(person.passkeys);
    if (passkey) await call('remove passkey', 'DELETE', `/passkeys/${passkey.id}`, session.access);
  },
  'sign in at the provider': signInAtProvider,
  'link at the provider': async (person, session) => {
    const idToken = await idTokenOf(`${person.id} ${Math.floor(random() * 2)}`, woven.newEmail());
    const body = { provider: PROVIDER, id_token: idToken, link_identity: true };
    const answer = await call('link at the provider', 'POST', '/token?grant_type=id_token', session.access, body);
    keepSession(person, answer);
    if (answer.status !== 200) return;
    const { identities } = answer.body['user'] as {
      readonly identities: readonly { readonly identity_id: string; readonly provider: string }[];
    };
    person.identities = identities.filter(({ provider: name }) => name === PROVIDER).map((one) => one.identity_id);
  },
  unlink: async (person, session) => {
    const id = pick(person.identities);
    if (id !== undefined) await call('unlink', 'DELETE', `/user/identities/${id}`, session.access);
  },
  'remove factor': async (person, session, app) => {
    const factor = random() < 0.3 ? pick(person.keys) : app;
    if (factor) await call('remove factor', 'DELETE', `/factors/${factor.id}`, session.access);
  },
  'remove factor of a program': async (person, _session, app) => {
    const path = `/admin/users/${person.id}/factors/${app?.id}`;
    if (app) await call('remove factor of a program', 'DELETE', path, woven.serviceToken);
  },
  'make recovery codes': async (person, session) => {
    const path = `/factors/recovery-codes${random() < 0.5 ? '' : '/regenerate'}`;
    const { status, body } = await call('make recovery codes', 'POST', path, session.access, {});
    if (status === 200) person.recoveryCodes = [...(body['codes'] as string[]), ...person.recoveryCodes].slice(0, 12);
  },
  'recovery code': async (person, session) => {
    const code = pick(person.recoveryCodes);
    if (code === undefined) return;
    const answer = await call('recovery code', 'POST', '/factors/recovery-codes/verify', session.access, { code });
    if (answer.status === 200) spend(`${code} of ${person.id}`);
    keepTokens(session, answer);
  },
  'remove recovery codes': async (_person, session) => {
    await call('remove recovery codes', 'DELETE', '/factors/recovery-codes', session.access);
  },
  'change password': async (_person, session) => {
    await call('change password', 'PUT', '/user', session.access, {
      password: pick(PASSWORDS),
      data: { at: random() },
    });
  },
  reauthenticate: async (_person, session) => {
    await call('reauthenticate', 'GET', '/reauthenticate', session.access);
  },
  'sign out': async (_person, session) => {
    const scope = pick(['local', 'others', 'global']);
    await call('sign out', 'POST', `/logout?scope=${scope}`, session.access);
  },
  'delete account': async ({ id }) => {
    await call('delete account', 'DELETE', `/admin/users/${id}`, woven.serviceToken, {
      should_soft_delete: random() < 0.5,
    });
  },
};

/** Actions as often as their weight says: what ends things is rare, or nothing would be left to end. */
export const DRAWN = Object.entries({
  'sign in': 3,
  refresh: 6,
  enroll: 4,
  challenge: 8,
  verify: 12,
  'add key': 2,
  'show key': 8,
  'add passkey': 3,
  'sign in with passkey': 2.5,
  'remove passkey': 1,
  'sign in at the provider': 0.2,
  'link at the provider': 0.8,
  unlink: 1,
  'remove factor': 2,
  'remove factor of a program': 1,
  'make recovery codes': 4,
  'recovery code': 5,
  'remove recovery codes': 1,
  'change password': 0.4,
  reauthenticate: 0.4,
  'sign out': 1,
  'delete account': 0.6,
}).flatMap(([name, weight]) => Array.from({ length: Math.ceil(weight * 10) }, () => name));
