import { z } from 'zod';
import { CODE_DIGITS } from '../shared/limits.js';
import { KNOWN_PROVIDERS } from '../shared/providers.js';
import { exactUrl, flag, httpUrl, oneOf, optionalText, text, wholeNumber } from './variable-rules.js';

const MAX = 1_000_000_000;
const seconds = (fallback: number) => wholeNumber(0, MAX, fallback);
const list = z
  .string()
  .default('')
  .transform((value) => value.split(/[\s,]+/).filter(Boolean));
const secret = z
  .string()
  .refine((value) => value === 'generated' || value.length >= 32, 'must have at least 32 characters')
  .optional();
const limit = (fallback: number) => wholeNumber(0, MAX, fallback);
/** Unset, it is a share of AUTH_RATE_LIMIT_MAIL. */
const mailShare = wholeNumber(0, MAX, 0).removeDefault().optional();
/** Wrong guesses of a day are kept one by one. */
const guesses = (fallback: number) => wholeNumber(0, 1000, fallback);

/** Roles in tokens that anybody can have. */
const EVERYBODY: readonly string[] = ['authenticated', 'anon'];

function isKeyList(value: string): boolean {
  if (value === 'generated') return true;
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) && parsed.length > 0 && parsed.every((key) => typeof key === 'object' && key !== null);
  } catch {
    return false;
  }
}

/** Browsers name the pages of a site so, and Android its apps. */
function isOrigin(value: string): boolean {
  if (value.startsWith('android:apk-key-hash:')) return true;
  return URL.canParse(value) && new URL(value).origin === value;
}

/** A name that clients take for a provider: one that they know, or `custom:` and a name of its own. */
function isProviderName(value: string): boolean {
  return KNOWN_PROVIDERS.includes(value) || /^custom:[a-z0-9][a-z0-9_-]{0,49}$/.test(value);
}

/** Phone numbers and their fixed codes, as `phone:code,phone:code`. */
const testCodes = z
  .string()
  .regex(/^\s*(?:\+?\d+\s*[:=]\s*\d+\s*(?:,|$)\s*)*$/, 'must be phone:code pairs, separated by commas')
  .default('');

/** The variables of accounts: settings (auth-api.md 4) and limits (auth-api.md 1.9). */
export const accountVariables = {
  AUTH_BASE_PATH: z
    .string()
    .trim()
    .regex(/^(?:\/?|(?:\/?[A-Za-z0-9._~-]+)+\/?)$/, 'must be a path such as /auth/v1, or / for the root')
    .default('/auth/v1')
    .transform((value) => value.replace(/^\/*|\/+$/g, '').replace(/^(?=.)/, '/'))
    .describe('where the API of accounts stands; empty or / puts it at the root'),
  AUTH_EXTERNAL_URL: httpUrl
    .optional()
    .describe('the full address of that API, which tokens name as their issuer; PUBLIC_URL and the base path if unset'),
  AUTH_SITE_URL: httpUrl.optional().describe('where links in mails lead in the end; PUBLIC_URL if unset'),
  AUTH_REDIRECT_URLS: z
    .string()
    .default('')
    // The commas within braces separate choices.
    .transform((value) => value.split(/[\s,]+(?![^{}]*\})/).filter(Boolean))
    .describe(
      'further addresses that links may lead to, as https://*.example.com/** or myapp://callback, separated by commas; ' +
        '* matches up to the next . or /, ** goes on, neither leaves the host, or the path and query, in which it stands. ' +
        'IP addresses are listed as they are. A pattern that cannot be read admits nothing and is named at the start',
    ),
  AUTH_JWT_KEYS: z
    .string()
    .trim()
    .refine(isKeyList, 'must be a JSON list of JWKs, or generated')
    .optional()
    .describe(
      'a JSON list of JWKs (RS256, ES256 or HS256); the one with key_ops ["sign"] signs, all of them verify. ' +
        '"generated" makes a key and keeps it under DATA_DIR. This or AUTH_JWT_SECRET is needed in production, ' +
        'otherwise generated',
    ),
  AUTH_JWT_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters')
    .optional()
    .describe(
      'a secret for HS256 of 32 characters or more; signs when there is no list of keys, and verifies in any case',
    ),
  AUTH_TOKEN_SECRET: secret.describe(
    'the key of refresh tokens and mailed codes, 32 characters or more, or "generated"; changing it signs everyone ' +
      'out and makes authenticator apps useless. Needed in production, otherwise generated',
  ),
  AUTH_JWT_EXP: wholeNumber(1, MAX, 3600).describe('seconds that an access token is good for'),
  AUTH_JWT_AUD: text('authenticated').describe('the audience of access tokens'),
  AUTH_ADMIN_ROLES: list
    .default(['service_role', 'supabase_admin'])
    .refine((roles) => !roles.some((role) => EVERYBODY.includes(role)), 'must not name the role of everybody')
    .describe(
      'roles of access tokens that may administer accounts, separated by commas; these tokens need no audience',
    ),
  AUTH_FOREIGN_ADMIN_TOKENS: flag(false).describe(
    'true also takes tokens of AUTH_ADMIN_ROLES that name another issuer or never expire, as the hosted backend makes ' +
      'them',
  ),
  AUTH_DISABLE_SIGNUP: flag(false).describe('true closes sign-up'),
  AUTH_MAIL_AUTOCONFIRM: flag(false).describe('true takes addresses as confirmed without a mail'),
  AUTH_SMS_AUTOCONFIRM: flag(false).describe('true takes phone numbers as confirmed without a message'),
  AUTH_DUPLICATE_SIGNUP: oneOf(['reveal', 'conceal'])
    .default('reveal')
    .describe('whether signing up with a taken address says so, or looks like a success'),
  AUTH_EMAIL_ENABLED: flag(true).describe('whether people can sign in with an email address'),
  AUTH_PHONE_ENABLED: flag(false).describe('whether people can sign in with a phone number'),
  AUTH_ANONYMOUS_ENABLED: flag(false).describe('whether people can sign in without either'),
  AUTH_SMS_TEST_OTP: testCodes.describe(
    'fixed codes for trying out, as phone:code,phone:code; nothing is sent to these',
  ),
  AUTH_PASSWORD_MIN_LENGTH: wholeNumber(6, 72, 6).describe('the least number of characters of a password'),
  AUTH_PASSWORD_REQUIRED_CHARACTERS: z
    .string()
    .default('')
    .describe('sets of characters separated by colons, of each of which a password must have one; \\: is a colon'),
  AUTH_PASSWORD_REFUSE_COMMON: flag(true).describe(
    'whether the most common passwords, and the names of the site and of the account, are refused',
  ),
  AUTH_BREACHED_PASSWORDS: optionalText.describe(
    'a file of breached passwords, which are refused: a line with the SHA-1 of each in ascending order, as the ' +
      'downloader of Have I Been Pwned writes it',
  ),
  AUTH_DOUBLE_EMAIL_CONFIRMATION: flag(true).describe('whether the old address must confirm a change of address too'),
  AUTH_OTP_LENGTH: wholeNumber(CODE_DIGITS.min, CODE_DIGITS.max, 6).describe('digits of a mailed code'),
  AUTH_MAIL_OTP_EXP: wholeNumber(1, MAX, 3600).describe('seconds that a mailed link or code is good for'),
  AUTH_MAIL_INVITE_EXP: wholeNumber(1, MAX, 604_800).describe('seconds that an invitation is good for'),
  AUTH_SMS_OTP_EXP: wholeNumber(1, MAX, 60).describe('seconds that a code by message is good for'),
  AUTH_MAIL_FREQUENCY: seconds(60).describe('least seconds between two mails of a kind to one person'),
  AUTH_SMS_FREQUENCY: seconds(60).describe('least seconds between two messages to one person'),
  AUTH_MAIL_LINK: oneOf(['page', 'verify'])
    .default('page')
    .describe(
      'page: mails lead to a page with a button, which mail scanners do not press; verify: straight to the API',
    ),
  AUTH_REFRESH_TOKEN_ROTATION: flag(true).describe('whether a refresh token that is used again ends its session'),
  AUTH_REFRESH_TOKEN_REUSE_INTERVAL: seconds(10).describe('seconds in which a refresh token may be used again'),
  AUTH_SESSION_TIMEBOX: seconds(0).describe('seconds after which a session ends whatever happens; 0 is never'),
  AUTH_SESSION_INACTIVITY: seconds(0).describe('seconds after which an unused session ends; 0 is never'),
  AUTH_SESSION_LOW_AAL: seconds(0).describe(
    'seconds after which a session without its second factor ends, for people who have one; 0 is never',
  ),
  AUTH_SESSION_SINGLE: flag(false).describe('whether a new sign-in ends the other sessions of that person'),
  AUTH_REAUTHENTICATION_REQUIRED: flag(false).describe(
    'whether changing the password needs a mailed code when the session is older than a day',
  ),
  AUTH_CURRENT_PASSWORD_REQUIRED: flag(false).describe('whether changing the password needs the current one'),
  AUTH_ADDRESS_PROOF_REQUIRED: flag(false).describe(
    'whether changing the address needs the password, a second factor, or a sign-in by mail or passkey just now',
  ),
  AUTH_MANUAL_LINKING: flag(false).describe('whether people can link further identities to their account'),
  AUTH_REQUIRE_ADMIN_MFA: flag(false).describe(
    'whether the admin area and its API ask administrators for a second factor; who has none adds one first',
  ),
  AUTH_OIDC_ISSUER: exactUrl
    .optional()
    .describe(
      'the OpenID Connect provider that people can sign in with: its issuer, to the letter, as its metadata name it; ' +
        'none if unset',
    ),
  AUTH_OIDC_CLIENT_ID: optionalText.describe('the id that the provider gave this site; needed with AUTH_OIDC_ISSUER'),
  AUTH_OIDC_APP_CLIENT_IDS: list
    .default([])
    .describe(
      'ids of applications at the same provider, such as those for phones, whose ID tokens are taken as well, separated ' +
        'by commas',
    ),
  AUTH_OIDC_CLIENT_SECRET: optionalText.describe('the secret that goes with it; a public client has none'),
  AUTH_OIDC_NAME: text('your company account').describe(
    "whom people sign in with, as the page says 'Sign in with ...'",
  ),
  AUTH_OIDC_PROVIDER: text('custom:oidc')
    .refine(isProviderName, 'must be a provider that clients know, such as keycloak or azure, or custom:name')
    .describe(
      'what clients call the provider; an application that already says keycloak, azure or google keeps its word for it',
    ),
  AUTH_OIDC_SCOPES: text('openid email profile')
    .refine((value) => value.split(/\s+/).includes('openid'), 'must have openid among the scopes')
    .describe('the scopes that are asked of the provider, separated by spaces'),
  AUTH_OIDC_TRUST_EMAIL: flag(false).describe(
    'true takes addresses as verified of which the provider does not say it (email_verified); only where nobody can ' +
      'choose their address there, as it opens the account of that address',
  ),
  AUTH_OIDC_ADMIN_CLAIM: optionalText.describe(
    'the claim that makes administrators, with dots for what is inside, such as realm_access.roles; none if unset',
  ),
  AUTH_OIDC_ADMIN_VALUE: optionalText.describe(
    'the value that it has, or has among others, for an administrator; needed with AUTH_OIDC_ADMIN_CLAIM',
  ),
  AUTH_TOTP_ENABLED: flag(true).describe('whether people can add an authenticator app as a second factor'),
  AUTH_TOTP_VERIFY_ENABLED: flag(true).describe(
    'whether people who have an authenticator app can show its codes; without, they change neither password nor address',
  ),
  AUTH_PHONE_FACTORS_ENABLED: flag(false).describe(
    'whether people can add a phone number as a second factor; codes go the way of AUTH_PHONE_ENABLED',
  ),
  AUTH_PHONE_FACTORS_VERIFY_ENABLED: flag(true).describe(
    'whether people who have one can show its codes; without, they change neither password nor address',
  ),
  AUTH_WEBAUTHN_ENABLED: flag(false).describe('whether people can add a security key as a second factor'),
  AUTH_WEBAUTHN_VERIFY_ENABLED: flag(true).describe(
    'whether people who have a security key can show it; without, they change neither password nor address',
  ),
  AUTH_PASSKEYS_ENABLED: flag(false).describe('whether people can sign in with a passkey instead of their password'),
  AUTH_WEBAUTHN_RP_ID: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[a-z0-9.-]+$/, 'must be a domain such as example.com')
    .optional()
    .describe(
      'the domain for which security keys and passkeys are registered; the host of PUBLIC_URL if unset. Keys of another ' +
        'domain are useless after a change',
    ),
  AUTH_WEBAUTHN_ORIGINS: list
    .refine((origins) => origins.every(isOrigin), 'must be origins such as https://www.example.com')
    .describe(
      'the origins whose pages may ask for keys, separated by commas; that of PUBLIC_URL if unset. They are the domain of ' +
        'AUTH_WEBAUTHN_RP_ID or below it',
    ),
  AUTH_RECOVERY_CODES_ENABLED: flag(true).describe(
    'whether people who have a second factor can make recovery codes, each of which takes its place once',
  ),
  AUTH_RECOVERY_CODES_VERIFY_ENABLED: flag(true).describe('whether people who have recovery codes can use them'),
  AUTH_MFA_MAX_FACTORS: wholeNumber(1, 1000, 10).describe('the most second factors that one person can have'),
  AUTH_IP_HEADER: text('')
    .default('')
    .describe(
      'deprecated and gone with the next version, for TRUSTED_PROXIES: a header whose last entry is the address of ' +
        'the client, whoever sends it',
    ),
  AUTH_GUESSES_PASSWORD: guesses(120).describe(
    'wrong passwords per account in 24 hours, over which only known devices, and recovery by mail, let anybody in; 0 is ' +
      'no limit',
  ),
  AUTH_GUESSES_PAUSE: seconds(300).describe(
    'the longest wait in seconds after a wrong password: 1 s after the fifth in 24 hours, twice as long after each ' +
      'further one; 0 is none',
  ),
  AUTH_GUESSES_CODE: wholeNumber(0, 1000, 5).describe(
    'wrong tries after which a mailed or messaged code is dead (the link in the mail is not); 0 is never',
  ),
  AUTH_GUESSES_CODE_DAILY: guesses(30).describe(
    'wrong codes in 24 hours per email address or phone number, however many codes are sent; 0 is no limit',
  ),
  AUTH_GUESSES_FACTOR: guesses(5).describe(
    'wrong codes of a second factor in 15 minutes, over which it has to wait; 0 is no limit',
  ),
  AUTH_GUESSES_NOTICE: guesses(20).describe(
    'wrong passwords or codes in 24 hours after which the owner is told by mail, once a day at most; 0 is never',
  ),
  AUTH_RATE_LIMIT_BURST: wholeNumber(1, MAX, 30).describe('requests that an address may make at once, per limit below'),
  AUTH_RATE_LIMIT_SIGNUP: limit(30).describe('sign-ups per address in 5 minutes; 0 is no limit, as for all limits'),
  AUTH_RATE_LIMIT_OTP: limit(30).describe('requests for a code per address in 5 minutes'),
  AUTH_RATE_LIMIT_MAGICLINK: limit(30).describe('requests for a magic link per address in 5 minutes'),
  AUTH_RATE_LIMIT_RECOVER: limit(30).describe('requests for a new password per address in 5 minutes'),
  AUTH_RATE_LIMIT_RESEND: limit(30).describe('requests for another mail per address in 5 minutes'),
  AUTH_RATE_LIMIT_USER: limit(30).describe('changes of an account per address in 5 minutes'),
  AUTH_RATE_LIMIT_TOKEN: limit(150).describe('sign-ins and refreshes per address in 5 minutes'),
  AUTH_RATE_LIMIT_WEB3: limit(30).describe('sign-ins by wallet per address in 5 minutes'),
  AUTH_RATE_LIMIT_VERIFY: limit(30).describe('verifications of a code or link per address in 5 minutes'),
  AUTH_RATE_LIMIT_SSO: limit(30).describe('sign-ins with a provider that begin per address in 5 minutes'),
  AUTH_RATE_LIMIT_FACTOR: limit(15).describe(
    'challenges, and as many verifications, of a factor per address in a minute',
  ),
  AUTH_RATE_LIMIT_ANONYMOUS: limit(30).describe('anonymous sign-ups per address in an hour'),
  AUTH_RATE_LIMIT_MAIL: limit(30).describe(
    'mails that the whole server sends in an hour; those above it wait up to 15 minutes, then they are refused. 0 also ' +
      'switches off the four below that are not set',
  ),
  AUTH_RATE_LIMIT_MAIL_KEPT: mailShare.describe(
    'how many of these are kept for recovery, a third of them for administrators; a third of all if unset',
  ),
  AUTH_RATE_LIMIT_MAIL_RECIPIENT: mailShare.describe(
    'mails to one recipient in an hour, and as many for recovery; a third of all if unset',
  ),
  AUTH_RATE_LIMIT_MAIL_ADDRESS: mailShare.describe(
    'mails in an hour that one address may ask for, and as many for recovery; a third of all if unset',
  ),
  AUTH_RATE_LIMIT_MAIL_NETWORK: mailShare.describe(
    'the same for all addresses of a network (/24, or /64 of IPv6) together; half of all if unset',
  ),
  AUTH_RATE_LIMIT_SMS: limit(30).describe('messages that the whole server sends in an hour'),
};
