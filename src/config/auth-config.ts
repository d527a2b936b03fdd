import type { Environment } from './environment.js';
import type { RedirectPattern } from './redirect-patterns.js';
import { toWebauthnConfig, type WebauthnConfig } from './webauthn-config.js';

/** The calls that have a rate limit of their own (auth-api.md 1.9). */
export type RateLimitName =
  | 'signup'
  | 'otp'
  | 'magiclink'
  | 'recover'
  | 'resend'
  | 'user'
  | 'token'
  | 'web3'
  | 'verify'
  | 'sso'
  | 'factorChallenge'
  | 'factorVerify'
  | 'anonymous'
  | 'sms';

/** A token bucket: it holds `burst`, and `count` flow back in `seconds`. A count of 0 is no limit. */
export interface RateLimit {
  readonly count: number;
  readonly seconds: number;
  readonly burst: number;
}

/** The parts of second factors of a type that can be switched off. */
export interface FactorSwitches {
  /** People can add one. */
  readonly isEnrollEnabled: boolean;
  /** Those who have one can show it. */
  readonly isVerifyEnabled: boolean;
}

/** The OpenID Connect provider that people can sign in with. */
export interface ProviderConfig {
  /** To the letter, as the provider's metadata and ID tokens name it. */
  readonly issuer: string;
  readonly clientId: string;
  /** The ids of applications there whose ID tokens are taken as well, such as those for phones. */
  readonly appClientIds: readonly string[];
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined;
  /** The name for people. */
  readonly name: string;
  /** The name for clients, which is also that of identities. */
  readonly id: string;
  readonly scopes: string;
  /** Takes addresses as verified of which the provider does not say anything. */
  readonly isEmailTrusted: boolean;
  /** The claim that makes administrators, and its value. */
  readonly adminClaim: { readonly name: string; readonly value: string } | null;
}

/** Everything that can be set about accounts. Durations are in seconds, and 0 is off. */
export interface AuthConfig {
  /** Empty, or with a slash in front and none at the end. */
  readonly basePath: string;
  readonly externalUrl: string;
  readonly siteUrl: string;
  /** The address of this site, whose pages links may lead to wherever AUTH_SITE_URL is. */
  readonly publicUrl: string;
  /** Further addresses that links may lead to. */
  readonly redirects: readonly RedirectPattern[];
  readonly jwt: {
    /** JSON list of JWKs, or the word generated; undefined with a secret alone. */
    readonly keys: string | undefined;
    readonly secret: string | undefined;
    readonly expiresIn: number;
    readonly audience: string;
    readonly adminRoles: readonly string[];
    /** Takes tokens of these roles from any issuer, also such that never expire. */
    readonly isForeignAdminAllowed: boolean;
  };
  /** The key of refresh tokens and one-time tokens, or the word generated. */
  readonly tokenSecret: string;
  readonly isSignupDisabled: boolean;
  readonly duplicateSignup: 'reveal' | 'conceal';
  readonly isAnonymousEnabled: boolean;
  readonly mail: {
    readonly isEnabled: boolean;
    readonly isAutoconfirmed: boolean;
    readonly isChangeConfirmedTwice: boolean;
    readonly link: 'page' | 'verify';
    readonly frequency: number;
    readonly otpExpiresIn: number;
    readonly inviteExpiresIn: number;
  };
  readonly sms: {
    readonly isEnabled: boolean;
    readonly isAutoconfirmed: boolean;
    readonly frequency: number;
    readonly otpExpiresIn: number;
    /** Fixed codes by phone number, for trying out. */
    readonly testCodes: Readonly<Record<string, string>>;
  };
  readonly otpLength: number;
  readonly password: {
    readonly minLength: number;
    readonly requiredCharacters: readonly string[];
    readonly isCommonRefused: boolean;
    /** Path of a file with the hashes of breached passwords. */
    readonly breachedList: string | undefined;
    readonly isReauthenticationRequired: boolean;
    readonly isCurrentRequired: boolean;
  };
  readonly isAddressProofRequired: boolean;
  readonly session: {
    readonly isRotated: boolean;
    readonly reuseInterval: number;
    readonly timebox: number;
    readonly inactivity: number;
    readonly lowAal: number;
    readonly isSingle: boolean;
  };
  readonly isManualLinkingEnabled: boolean;
  /** Null where people sign in with what this server knows alone. */
  readonly provider: ProviderConfig | null;
  readonly mfa: {
    readonly maxFactors: number;
    /** Administrators show a second factor. */
    readonly isRequiredOfAdmins: boolean;
    readonly totp: FactorSwitches;
    /** Codes by message. */
    readonly phone: FactorSwitches;
    /** Security keys. */
    readonly webauthn: FactorSwitches;
    readonly recoveryCodes: FactorSwitches;
  };
  readonly arePasskeysEnabled: boolean;
  readonly webauthn: WebauthnConfig;
  readonly limits: Readonly<Record<RateLimitName, RateLimit>>;
  /** How often passwords and codes may be guessed; 0 is no limit. */
  readonly guesses: {
    /** Wrong passwords per account in 24 hours. */
    readonly passwords: number;
    readonly longestPause: number;
    /** Wrong tries per code. */
    readonly perCode: number;
    /** Wrong codes per address in 24 hours. */
    readonly codes: number;
    /** Wrong codes per second factor in 15 minutes. */
    readonly perFactor: number;
    /** Wrong guesses in 24 hours after which the owner is told. */
    readonly noticeAfter: number;
  };
  readonly mailBudgets: {
    /** The parts of the server's mails that are kept for recovery and for administrators; a count of 0 keeps none. */
    readonly recovery: RateLimit;
    readonly admins: RateLimit;
    /** The rest of them. */
    readonly server: RateLimit;
    readonly recipient: RateLimit;
    readonly address: RateLimit;
    readonly network: RateLimit;
  };
}

/** The settings of accounts from their variables. */
export function toAuthConfig(env: Environment, publicUrl: string, redirects: readonly RedirectPattern[]): AuthConfig {
  const isSecretAlone = env.AUTH_JWT_KEYS === undefined && env.AUTH_JWT_SECRET !== undefined;
  return {
    basePath: env.AUTH_BASE_PATH,
    externalUrl: env.AUTH_EXTERNAL_URL ?? `${publicUrl}${env.AUTH_BASE_PATH}`,
    siteUrl: env.AUTH_SITE_URL ?? publicUrl,
    publicUrl,
    redirects,
    jwt: {
      keys: isSecretAlone ? undefined : (env.AUTH_JWT_KEYS ?? 'generated'),
      secret: env.AUTH_JWT_SECRET,
      expiresIn: env.AUTH_JWT_EXP,
      audience: env.AUTH_JWT_AUD,
      adminRoles: env.AUTH_ADMIN_ROLES,
      isForeignAdminAllowed: env.AUTH_FOREIGN_ADMIN_TOKENS,
    },
    tokenSecret: env.AUTH_TOKEN_SECRET ?? 'generated',
    isSignupDisabled: env.AUTH_DISABLE_SIGNUP,
    duplicateSignup: env.AUTH_DUPLICATE_SIGNUP,
    isAnonymousEnabled: env.AUTH_ANONYMOUS_ENABLED,
    ...toChannels(env),
    otpLength: env.AUTH_OTP_LENGTH,
    password: {
      minLength: env.AUTH_PASSWORD_MIN_LENGTH,
      requiredCharacters: toCharacterSets(env.AUTH_PASSWORD_REQUIRED_CHARACTERS),
      isCommonRefused: env.AUTH_PASSWORD_REFUSE_COMMON,
      breachedList: env.AUTH_BREACHED_PASSWORDS,
      isReauthenticationRequired: env.AUTH_REAUTHENTICATION_REQUIRED,
      isCurrentRequired: env.AUTH_CURRENT_PASSWORD_REQUIRED,
    },
    isAddressProofRequired: env.AUTH_ADDRESS_PROOF_REQUIRED,
    session: {
      isRotated: env.AUTH_REFRESH_TOKEN_ROTATION,
      reuseInterval: env.AUTH_REFRESH_TOKEN_REUSE_INTERVAL,
      timebox: env.AUTH_SESSION_TIMEBOX,
      inactivity: env.AUTH_SESSION_INACTIVITY,
      lowAal: env.AUTH_SESSION_LOW_AAL,
      isSingle: env.AUTH_SESSION_SINGLE,
    },
    isManualLinkingEnabled: env.AUTH_MANUAL_LINKING,
    provider: toProvider(env),
    mfa: {
      maxFactors: env.AUTH_MFA_MAX_FACTORS,
      isRequiredOfAdmins: env.AUTH_REQUIRE_ADMIN_MFA,
      totp: { isEnrollEnabled: env.AUTH_TOTP_ENABLED, isVerifyEnabled: env.AUTH_TOTP_VERIFY_ENABLED },
      phone: {
        isEnrollEnabled: env.AUTH_PHONE_FACTORS_ENABLED,
        isVerifyEnabled: env.AUTH_PHONE_FACTORS_VERIFY_ENABLED,
      },
      webauthn: { isEnrollEnabled: env.AUTH_WEBAUTHN_ENABLED, isVerifyEnabled: env.AUTH_WEBAUTHN_VERIFY_ENABLED },
      recoveryCodes: {
        isEnrollEnabled: env.AUTH_RECOVERY_CODES_ENABLED,
        isVerifyEnabled: env.AUTH_RECOVERY_CODES_VERIFY_ENABLED,
      },
    },
    arePasskeysEnabled: env.AUTH_PASSKEYS_ENABLED,
    webauthn: toWebauthnConfig(env, publicUrl),
    limits: toLimits(env),
    guesses: {
      passwords: env.AUTH_GUESSES_PASSWORD,
      longestPause: env.AUTH_GUESSES_PAUSE,
      perCode: env.AUTH_GUESSES_CODE,
      codes: env.AUTH_GUESSES_CODE_DAILY,
      perFactor: env.AUTH_GUESSES_FACTOR,
      noticeAfter: env.AUTH_GUESSES_NOTICE,
    },
    mailBudgets: toMailBudgets(env),
  };
}

function toChannels(env: Environment): Pick<AuthConfig, 'mail' | 'sms'> {
  return {
    mail: {
      isEnabled: env.AUTH_EMAIL_ENABLED,
      isAutoconfirmed: env.AUTH_MAIL_AUTOCONFIRM,
      isChangeConfirmedTwice: env.AUTH_DOUBLE_EMAIL_CONFIRMATION,
      link: env.AUTH_MAIL_LINK,
      frequency: env.AUTH_MAIL_FREQUENCY,
      otpExpiresIn: env.AUTH_MAIL_OTP_EXP,
      inviteExpiresIn: env.AUTH_MAIL_INVITE_EXP,
    },
    sms: {
      isEnabled: env.AUTH_PHONE_ENABLED,
      isAutoconfirmed: env.AUTH_SMS_AUTOCONFIRM,
      frequency: env.AUTH_SMS_FREQUENCY,
      otpExpiresIn: env.AUTH_SMS_OTP_EXP,
      testCodes: toTestCodes(env.AUTH_SMS_TEST_OTP),
    },
  };
}

function toProvider(env: Environment): ProviderConfig | null {
  if (env.AUTH_OIDC_ISSUER === undefined || env.AUTH_OIDC_CLIENT_ID === undefined) return null;
  const { AUTH_OIDC_ADMIN_CLAIM: claim, AUTH_OIDC_ADMIN_VALUE: value } = env;
  return {
    issuer: env.AUTH_OIDC_ISSUER,
    clientId: env.AUTH_OIDC_CLIENT_ID,
    appClientIds: env.AUTH_OIDC_APP_CLIENT_IDS,
    clientSecret: env.AUTH_OIDC_CLIENT_SECRET,
    name: env.AUTH_OIDC_NAME,
    id: env.AUTH_OIDC_PROVIDER,
    scopes: env.AUTH_OIDC_SCOPES,
    isEmailTrusted: env.AUTH_OIDC_TRUST_EMAIL,
    adminClaim: claim === undefined || value === undefined ? null : { name: claim, value },
  };
}

function toTestCodes(value: string): Record<string, string> {
  const pairs = value.split(',').map((pair) => pair.split(/[:=]/).map((part) => part.trim()));
  return Object.fromEntries(
    pairs.flatMap(([phone, code]) => (phone && code ? [[phone.replace(/^\+/, ''), code] as const] : [])),
  );
}

/** Sets are separated by colons; one after a backslash is a character of its set. */
function toCharacterSets(value: string): string[] {
  return value
    .split(/(?<!\\):/)
    .map((set) => set.replaceAll('\\:', ':'))
    .filter(Boolean);
}

const FIVE_MINUTES = 300;
const HOUR = 3600;

/** An hourly limit, which may be used up at once. */
const perHour = (count: number): RateLimit => ({ count, seconds: HOUR, burst: count });

function toMailBudgets(env: Environment): AuthConfig['mailBudgets'] {
  const all = env.AUTH_RATE_LIMIT_MAIL;
  const third = Math.ceil(all / 3);
  // Something is left for everybody else.
  const kept = Math.min(env.AUTH_RATE_LIMIT_MAIL_KEPT ?? Math.floor(all / 3), Math.max(0, all - 1));
  const admins = Math.floor(kept / 3);
  return {
    recovery: perHour(kept - admins),
    admins: perHour(admins),
    server: perHour(all - kept),
    recipient: perHour(env.AUTH_RATE_LIMIT_MAIL_RECIPIENT ?? third),
    address: perHour(env.AUTH_RATE_LIMIT_MAIL_ADDRESS ?? third),
    network: perHour(env.AUTH_RATE_LIMIT_MAIL_NETWORK ?? Math.ceil(all / 2)),
  };
}

function toLimits(env: Environment): Record<RateLimitName, RateLimit> {
  const burst = env.AUTH_RATE_LIMIT_BURST;
  const perFiveMinutes = (count: number): RateLimit => ({ count, seconds: FIVE_MINUTES, burst });
  return {
    signup: perFiveMinutes(env.AUTH_RATE_LIMIT_SIGNUP),
    otp: perFiveMinutes(env.AUTH_RATE_LIMIT_OTP),
    magiclink: perFiveMinutes(env.AUTH_RATE_LIMIT_MAGICLINK),
    recover: perFiveMinutes(env.AUTH_RATE_LIMIT_RECOVER),
    resend: perFiveMinutes(env.AUTH_RATE_LIMIT_RESEND),
    user: perFiveMinutes(env.AUTH_RATE_LIMIT_USER),
    token: perFiveMinutes(env.AUTH_RATE_LIMIT_TOKEN),
    web3: perFiveMinutes(env.AUTH_RATE_LIMIT_WEB3),
    verify: perFiveMinutes(env.AUTH_RATE_LIMIT_VERIFY),
    sso: perFiveMinutes(env.AUTH_RATE_LIMIT_SSO),
    factorChallenge: { count: env.AUTH_RATE_LIMIT_FACTOR, seconds: 60, burst },
    factorVerify: { count: env.AUTH_RATE_LIMIT_FACTOR, seconds: 60, burst },
    anonymous: perHour(env.AUTH_RATE_LIMIT_ANONYMOUS),
    sms: perHour(env.AUTH_RATE_LIMIT_SMS),
  };
}
