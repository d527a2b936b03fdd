import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { SiteFrame } from '../shared/contracts/site.js';
import { nearestOf } from '../shared/nearest.js';
import { toAuthConfig, type AuthConfig, type RateLimit } from './auth-config.js';
import { toCompanyConfig, type CompanyConfig } from './company-variables.js';
import { toContactConfig, type ContactConfig } from './contact-config.js';
import { environmentSchema, type Environment } from './environment.js';
import { findIndexNowProblems, toIndexNow, type IndexNowConfig } from './index-now.js';
import { readRedirectPatterns } from './redirect-patterns.js';
import { fileVariableOf, isUtf16, readSecretFiles, secretVariables, withoutMark } from './secret-files.js';
import type { TrustedProxies } from './trusted-proxies.js';
import { toWebhookConfig, type WebhookConfig } from './webhook-config.js';
import { findWebauthnProblems } from './webauthn-config.js';

/** The storage of the blog's images. */
export type StorageConfig =
  | { readonly driver: 'folder'; readonly folder: string }
  | {
      readonly driver: 's3';
      readonly endpoint: string | undefined;
      readonly region: string;
      readonly bucket: string;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
      readonly forcePathStyle: boolean;
      /** Base address at which browsers read the bucket, or undefined when the server hands images out itself. */
      readonly publicUrl: string | undefined;
    };

/** Transport and sender of mails. */
export interface MailConfig {
  /** Null is the company's name, and its address. */
  readonly from: { readonly name: string | null; readonly address: string | null };
  readonly transport:
    | { readonly kind: 'smtp'; readonly url: string }
    /** Mails are written to this folder and shown under `/dev/mail`; none is sent. */
    | { readonly kind: 'capture'; readonly folder: string };
}

/** The validated configuration: the only form in which the rest of the product sees the environment. */
export interface Config {
  readonly mode: Environment['NODE_ENV'];
  readonly server: {
    readonly host: string;
    readonly port: number;
    readonly publicUrl: string;
    readonly trustedProxies: TrustedProxies;
    /** Lower case; a header of AUTH_IP_HEADER, which counts where no proxies are trusted. Deprecated. */
    readonly addressHeader: string | undefined;
    /** Processes that answer; with one, it is the process that was started. */
    readonly workers: number;
    /** For how long a process that was told to end goes on serving, while balancers notice. */
    readonly shutdownDelayMs: number;
  };
  readonly log: { readonly level: Environment['LOG_LEVEL'] };
  /** Address of the metrics for Prometheus; off when the port is 0. */
  readonly metrics: { readonly host: string; readonly port: number };
  /** Absolute path of the folder of everything the product keeps on disk. */
  readonly dataDir: string;
  readonly database: {
    /** The word embedded when the product runs its own PostgreSQL. */
    readonly url: string;
    /** The way around a pooler; undefined when `url` is one to the database itself. */
    readonly directUrl: string | undefined;
    readonly poolSize: number;
  };
  readonly storage: StorageConfig;
  /** `unusedDays`: how long an image is kept that nothing shows. `answerMs`: when an upload that is all there is answered. */
  readonly uploads: { readonly unusedDays: number; readonly answerMs: number };
  readonly auth: AuthConfig;
  readonly mail: MailConfig;
  readonly contact: ContactConfig;
  /** Null where no other system is told of enquiries and alarms. */
  readonly webhook: WebhookConfig | null;
  /** `warnDays`: how old the last backup may be; 0 where this is nothing to look at. */
  readonly backups: { readonly warnDays: number };
  readonly search: {
    /** Per internet address. */
    readonly limit: RateLimit;
  };
  /** For how long reads are kept by day and site, also those that were counted before counting was switched off. */
  readonly reads: { readonly keptDays: number };
  /** Null where search engines are not told of changes. */
  readonly indexNow: IndexNowConfig | null;
  /** The part of the site that the environment alone decides. The rest can change at any time: ask `SiteService`. */
  readonly site: SiteFrame;
  /** The facts of the company by their variables; those of now has `SiteService`. */
  readonly company: CompanyConfig;
  /** One line per variable that works and should not stay as it is, for the log and the doctor. */
  readonly warnings: readonly string[];
}

/** Dependency-injection token of the {@link Config}. */
export const CONFIG = Symbol('Config');

/** Thrown when the environment cannot be used; `problems` holds one line per variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}

/** Variables by name, as a process or a file has them. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The file of variables, and what a problem with it begins with in the place of a variable. */
export const ENV_FILE = '.env';

/**
 * The variables of the process, and of the .env file in `folder` where the process does not set them.
 * @throws ConfigError when there is a file and nobody can tell what it says
 */
export function readEnvironment(own: Variables = process.env, folder: string = process.cwd()): Variables {
  const given = withoutBlanks(own);
  // A developer's file must not change the outcome of a test.
  const inFile = given['NODE_ENV'] === 'test' ? {} : readEnvFile(join(folder, ENV_FILE));
  // A secret that the shell has, by itself or in a file, is not the one of the .env file.
  const isOverruled = (name: string) => fileVariableOf(name) in given || name.replace(/_FILE$/, '') in given;
  return { ...Object.fromEntries(Object.entries(inFile).filter(([name]) => !isOverruled(name))), ...given };
}

/** Returns no variables where there is no file. */
function readEnvFile(file: string): Variables {
  if (!existsSync(file)) return {};
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Docker makes a folder of a file that is to be mounted and is not there.
    const reason = code === 'EISDIR' ? 'is a folder, and has to be a file' : `cannot be read (${code})`;
    throw new ConfigError([`${ENV_FILE}: ${file} ${reason}`]);
  }
  // Every name in it would be another one, so that nothing in it counted.
  if (isUtf16(bytes)) throw new ConfigError([`${ENV_FILE}: ${file} is in UTF-16; save it as UTF-8`]);
  // Its first variable would have another name otherwise.
  return parseEnv(withoutMark(bytes.toString('utf8')));
}

/** In capitals, of at least two words: PORT and HOST have too many neighbors. */
const SHAPE_OF_OURS = /^[A-Z0-9]+(?:_[A-Z0-9]+)+$/;

/** Variables whose blank value means something: AUTH_BASE_PATH puts the accounts API at the root. */
const MAY_BE_BLANK: ReadonlySet<string> = new Set<keyof Environment>(['AUTH_BASE_PATH']);

/** A blank variable counts as a missing one, as shells and .env files make no difference. */
export function withoutBlanks(variables: Variables = process.env): Variables {
  const isGiven = (name: string, value: string | undefined) =>
    MAY_BE_BLANK.has(name) ? value !== undefined : Boolean(value?.trim());
  return Object.fromEntries(Object.entries(variables).filter(([name, value]) => isGiven(name, value)));
}

/** How a configuration is read. */
export interface LoadOptions {
  /** True where pages show placeholders for what the company has not set; by default everywhere but in production. */
  readonly showsPlaceholders?: boolean;
}

/**
 * Checks the environment; this module is the only one that reads it.
 * @throws ConfigError naming every variable that is wrong or missing, not just the first
 */
export function loadConfig(env: Variables = readEnvironment(), options: LoadOptions = {}): Config {
  const { variables: given, problems: unreadable } = readSecretFiles(withoutBlanks(env));
  const result = environmentSchema.safeParse(given);
  const wrong = result.success ? [] : result.error.issues.map((issue) => describeIssue(issue, given));
  const problems = [...wrong, ...unreadable, ...findMissing(given), ...findClashes(given)];
  if (!result.success || problems.length > 0) throw new ConfigError(problems);
  return toConfig(result.data, given, options);
}

/** Seconds of an access token below which browsers do little but renew it: the client of the accounts does so 90 before its end. */
const SHORTEST_TOKEN_SECONDS = 120;

function describeIssue(
  { path, message }: { readonly path: PropertyKey[]; readonly message: string },
  given: Variables,
) {
  const name = path.join('.');
  const file = fileVariableOf(name);
  return `${name}: ${message}${file in given ? ` (read from ${file})` : ''}`;
}

/** Finds variables that another variable makes necessary, even when single variables are wrong already. */
function findMissing(given: Variables): string[] {
  const missing: string[] = [];
  const isGiven = (name: keyof Environment) => given[name] !== undefined || given[fileVariableOf(name)] !== undefined;
  const needed = (name: keyof Environment, why: string) => {
    if (!isGiven(name)) missing.push(`${name}: is missing; ${why}`);
  };
  if (given['NODE_ENV'] === 'production') {
    needed('PUBLIC_URL', 'production needs the address at which visitors reach the site');
    needed('DATABASE_URL', 'production needs the address of its PostgreSQL, or the word embedded');
    if (!isGiven('AUTH_JWT_SECRET')) {
      needed('AUTH_JWT_KEYS', 'production needs keys that sign tokens (or AUTH_JWT_SECRET), or the word generated');
    }
    needed('AUTH_TOKEN_SECRET', 'production needs a key for tokens (openssl rand -hex 32), or the word generated');
    if (given['MAIL_CAPTURE'] !== 'true') needed('SMTP_URL', 'production needs a server that delivers its mail');
    // Where no variable says where enquiries go, /setup asks for it (src/setup); a locked one it cannot change.
    const isLocked = /(?:^|,)\s*SITE_EMAIL\s*(?:,|$)/.test(given['SITE_LOCKED'] ?? '');
    if (isLocked && !(isGiven('CONTACT_TO') && isGiven('MAIL_FROM'))) {
      needed('SITE_EMAIL', 'SITE_LOCKED names it, and production needs to know where enquiries go');
    }
  }
  if (isGiven('DATABASE_DIRECT_URL') && (!isGiven('DATABASE_URL') || given['DATABASE_URL'] === 'embedded')) {
    missing.push('DATABASE_DIRECT_URL: is set without a DATABASE_URL; the embedded database has no other way to it');
  }
  if (isGiven('NOTIFY_WEBHOOK_URL')) needed('NOTIFY_WEBHOOK_SECRET', 'NOTIFY_WEBHOOK_URL names who is told');
  if (isGiven('NOTIFY_WEBHOOK_SECRET')) needed('NOTIFY_WEBHOOK_URL', 'NOTIFY_WEBHOOK_SECRET is the secret of one');
  if (isGiven('AUTH_OIDC_ISSUER')) needed('AUTH_OIDC_CLIENT_ID', 'AUTH_OIDC_ISSUER names a provider');
  if (isGiven('AUTH_OIDC_CLIENT_ID')) needed('AUTH_OIDC_ISSUER', 'AUTH_OIDC_CLIENT_ID is an id at a provider');
  if (isGiven('AUTH_OIDC_APP_CLIENT_IDS')) needed('AUTH_OIDC_ISSUER', 'AUTH_OIDC_APP_CLIENT_IDS are ids at a provider');
  if (isGiven('AUTH_OIDC_ADMIN_CLAIM')) needed('AUTH_OIDC_ADMIN_VALUE', 'AUTH_OIDC_ADMIN_CLAIM names a claim');
  if (isGiven('AUTH_OIDC_ADMIN_VALUE')) needed('AUTH_OIDC_ADMIN_CLAIM', 'AUTH_OIDC_ADMIN_VALUE is the value of one');
  if (given['STORAGE_DRIVER'] === 's3') {
    needed('S3_ACCESS_KEY_ID', 'STORAGE_DRIVER is s3');
    needed('S3_SECRET_ACCESS_KEY', 'STORAGE_DRIVER is s3');
  }
  return missing;
}

/** The site and its metrics are two servers. */
function findClashes(given: Variables): string[] {
  const { PORT, METRICS_PORT } = environmentSchema.shape;
  const [port, metricsPort] = [PORT.safeParse(given['PORT']).data, METRICS_PORT.safeParse(given['METRICS_PORT']).data];
  if (!metricsPort || port !== metricsPort) return [];
  return [
    `METRICS_PORT: is ${metricsPort}, as PORT is${given['PORT'] === undefined ? ' by default' : ''}; set another one`,
  ];
}

function toConfig(env: Environment, given: Variables, options: LoadOptions): Config {
  const dataDir = resolve(env.DATA_DIR);
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`;
  const showsPlaceholders = options.showsPlaceholders ?? env.NODE_ENV !== 'production';
  const redirects = readRedirectPatterns(env.AUTH_REDIRECT_URLS);
  const auth = toAuthConfig(env, publicUrl, redirects.patterns);
  const areKeysUsed = env.AUTH_WEBAUTHN_ENABLED || env.AUTH_PASSKEYS_ENABLED;
  return {
    mode: env.NODE_ENV,
    server: {
      host: env.HOST,
      port: env.PORT,
      publicUrl,
      trustedProxies: env.TRUSTED_PROXIES,
      addressHeader: given['TRUSTED_PROXIES'] === undefined ? env.AUTH_IP_HEADER.toLowerCase() || undefined : undefined,
      workers: toWorkers(env),
      shutdownDelayMs: env.SHUTDOWN_DELAY * 1000,
    },
    log: { level: env.LOG_LEVEL },
    metrics: { host: env.METRICS_HOST, port: env.METRICS_PORT },
    dataDir,
    database: {
      url: env.DATABASE_URL ?? 'embedded',
      directUrl: env.DATABASE_DIRECT_URL,
      poolSize: env.DATABASE_POOL_SIZE,
    },
    storage: toStorage(env, dataDir),
    uploads: { unusedDays: env.UPLOADS_UNUSED_DAYS, answerMs: env.UPLOAD_SECONDS * 1000 },
    auth,
    mail: toMail(env, dataDir),
    contact: toContactConfig(env),
    webhook: toWebhookConfig(env),
    backups: { warnDays: env.BACKUP_WARN_DAYS },
    search: { limit: { count: env.SEARCH_RATE_LIMIT, seconds: 60, burst: env.SEARCH_RATE_LIMIT } },
    reads: { keptDays: env.READ_COUNTS_DAYS },
    indexNow: toIndexNow(env, publicUrl),
    site: { ...toFrame(env, publicUrl), showsPlaceholders },
    company: toCompanyConfig(env, given),
    warnings: [
      ...findMisspelled(given),
      ...findDeprecated(given),
      ...findRisks(env, given),
      ...redirects.problems.map((problem) => `AUTH_REDIRECT_URLS: ${problem}`),
      ...findIndexNowProblems(env, publicUrl),
      ...(areKeysUsed ? findWebauthnProblems(auth.webauthn) : []),
    ],
  };
}

function findRisks(env: Environment, given: Variables): string[] {
  const risks: string[] = [];
  if (env.AUTH_FOREIGN_ADMIN_TOKENS) {
    risks.push(
      `AUTH_FOREIGN_ADMIN_TOKENS: takes tokens of ${env.AUTH_ADMIN_ROLES.join(' and ')} from any issuer, also such that ` +
        'never expire; set it to false once all programs have tokens of "auth service-role-token"',
    );
  }
  if (env.AUTH_JWT_EXP < SHORTEST_TOKEN_SECONDS) {
    risks.push(
      `AUTH_JWT_EXP: browsers renew tokens 90 seconds before their end, so again and again with ${env.AUTH_JWT_EXP}, until ` +
        `they meet AUTH_RATE_LIMIT_TOKEN; set ${SHORTEST_TOKEN_SECONDS} at least`,
    );
  }
  if (given['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    risks.push(
      'NODE_TLS_REJECT_UNAUTHORIZED: lets every certificate pass; remove it, and name yours in NODE_EXTRA_CA_CERTS',
    );
  }
  return risks;
}

/** Names of others are no matter of ours, so only those that are ours but for a slip, and only where they do nothing. */
function findMisspelled(given: Variables): string[] {
  const known = [...Object.keys(environmentSchema.shape), ...secretVariables.map(fileVariableOf)];
  return Object.keys(given).flatMap((name) => {
    if (known.includes(name) || !SHAPE_OF_OURS.test(name)) return [];
    const meant = nearestOf(name, known, Math.floor(name.length / 4));
    return meant === undefined || meant in given ? [] : [`${name}: nobody reads it; ${meant} may be meant`];
  });
}

function findDeprecated(given: Variables): string[] {
  if (given['AUTH_IP_HEADER'] === undefined) return [];
  return given['TRUSTED_PROXIES'] === undefined
    ? [
        'AUTH_IP_HEADER: works for one more version and believes everybody; name your proxies in TRUSTED_PROXIES instead',
      ]
    : ['AUTH_IP_HEADER: does nothing beside TRUSTED_PROXIES; remove it'];
}

/** The bundler of development has state that processes cannot share. */
function toWorkers({ NODE_ENV, WEB_CONCURRENCY }: Environment): number {
  if (NODE_ENV === 'development') return 1;
  return WEB_CONCURRENCY === 'auto' ? availableParallelism() : WEB_CONCURRENCY;
}

function toStorage(env: Environment, dataDir: string): StorageConfig {
  if (env.STORAGE_DRIVER === 'folder') return { driver: 'folder', folder: resolve(dataDir, 'media') };
  return {
    driver: 's3',
    endpoint: env.S3_ENDPOINT,
    region: env.S3_REGION,
    bucket: env.S3_BUCKET,
    accessKeyId: env.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.S3_SECRET_ACCESS_KEY ?? '',
    forcePathStyle: env.S3_FORCE_PATH_STYLE,
    publicUrl: env.S3_PUBLIC_URL,
  };
}

/** Returns the folder of captured mails, in which some may lie from before also where mails are sent. */
export function captureFolder(dataDir: string): string {
  return resolve(dataDir, 'mail');
}

function toMail(env: Environment, dataDir: string): MailConfig {
  const [, name, address] = /^(.*?)\s*<(.*)>$/.exec(env.MAIL_FROM ?? '') ?? [];
  return {
    from: { name: name || null, address: address ?? env.MAIL_FROM ?? null },
    transport:
      env.MAIL_CAPTURE || env.SMTP_URL === undefined
        ? { kind: 'capture', folder: captureFolder(dataDir) }
        : { kind: 'smtp', url: env.SMTP_URL },
  };
}

function toFrame(env: Environment, publicUrl: string): Omit<SiteFrame, 'showsPlaceholders'> {
  return {
    url: publicUrl,
    timeZone: env.SITE_TIME_ZONE,
    accounts: {
      // At the root when the path is empty.
      url: env.AUTH_BASE_PATH || '/',
      codeLength: env.AUTH_OTP_LENGTH,
      passwordLength: env.AUTH_PASSWORD_MIN_LENGTH,
      codeTries: env.AUTH_GUESSES_CODE,
      provider: env.AUTH_OIDC_ISSUER === undefined ? null : { id: env.AUTH_OIDC_PROVIDER, name: env.AUTH_OIDC_NAME },
      isLinkable: env.AUTH_MANUAL_LINKING,
      hasSecurityKeys: env.AUTH_WEBAUTHN_ENABLED,
      hasPhoneFactors: env.AUTH_PHONE_FACTORS_ENABLED && env.AUTH_PHONE_FACTORS_VERIFY_ENABLED,
      hasPasskeys: env.AUTH_PASSKEYS_ENABLED,
    },
    enquiryRetentionDays: env.CONTACT_RETENTION_DAYS,
    readCountsDays: env.READ_COUNTS ? env.READ_COUNTS_DAYS : null,
    hasShareImages: env.SHARE_IMAGES,
  };
}
