import { z } from 'zod';
import { SHUTDOWN_DELAY_MAX_SECONDS } from './time-limits.js';
import { companyVariables, lockedVariables } from './company-variables.js';
import { accountVariables } from './environment-accounts.js';
import { findWebhookSecretProblem, findWebhookUrlProblem } from './webhook-config.js';
import { findProxyProblem, toTrustedProxies } from './trusted-proxies.js';
import {
  countOrAuto,
  databaseUrl,
  exactUrl,
  flag,
  httpUrl,
  oneOf,
  optionalText,
  text,
  timeZone,
  wholeNumber,
} from './variable-rules.js';

/** Addresses or a number; none trusts nobody. */
const trustedProxies = z
  .string()
  .superRefine((value, context) => {
    const problem = findProxyProblem(value);
    if (problem !== null) context.addIssue(problem);
  })
  .default('')
  .transform(toTrustedProxies);

const checkedText = (findProblem: (value: string) => string | null) =>
  z
    .string()
    .trim()
    .superRefine((value, context) => {
      const message = findProblem(value);
      if (message !== null) context.addIssue(message);
    })
    .optional();

/** An address that was cut at a character of its password is one of another server, or of none. */
const smtpUrl = checkedText((value) => {
  if (!/^smtps?:\/\/./.test(value)) {
    return 'must be smtp://user:password@host:port or smtps://user:password@host:port';
  }
  const { hostname = '', pathname = '', search = '', hash = '' } = URL.canParse(value) ? new URL(value) : {};
  const isCut = hash !== '' || `${pathname}${search}`.includes('@');
  return hostname === '' || isCut
    ? 'cannot be read as smtp://user:password@host:port; in user and password, / is written as %2F, ? as %3F and # as %23'
    : null;
});

/** `name@host`, or `Name <name@host>` on one line; nothing that could add a header or a second address. */
function isMailbox(value: string): boolean {
  const [, name = '', address = ''] = /^([^<>\r\n"]*)<([^<>]*)>$/.exec(value) ?? ['', '', value];
  return !name.includes(',') && z.email().safeParse(address).success;
}

/**
 * Every variable of the product, with its rule, its default and its purpose. Descriptions and defaults become
 * .env.example (`npm run cli -- config example`), in this order and under these headings.
 */
export const environmentGroups = {
  Server: z.object({
    NODE_ENV: oneOf(['development', 'production', 'test'])
      .default('development')
      .describe('production refuses to start with anything secret or public left at a default'),
    HOST: text('127.0.0.1').describe('the address the server listens on'),
    PORT: wholeNumber(0, 65_535, 3000).describe('the port the server listens on'),
    PUBLIC_URL: httpUrl
      .optional()
      .describe('where visitors reach the site; needed in production, otherwise http://localhost:PORT'),
    TRUSTED_PROXIES: trustedProxies.describe(
      'the proxies in front of the server, whose X-Forwarded-For says who the client is: their addresses and networks, ' +
        'loopback, linklocal or uniquelocal, separated by commas, or how many there are in a row; none means that ' +
        'clients connect by themselves',
    ),
    WEB_CONCURRENCY: countOrAuto(1, 128, 1).describe(
      'processes that answer, which share the port and are replaced when they die; auto is one for each processor; ' +
        'development has one',
    ),
    SHUTDOWN_DELAY: wholeNumber(0, SHUTDOWN_DELAY_MAX_SECONDS, 0).describe(
      'seconds in which a process that was told to end says so at /api/health/ready and goes on serving, so that ' +
        'balancers leave it first; 5 behind one that asks every second or two',
    ),
    DATA_DIR: text('data').describe('the folder of the embedded database, of uploaded images and of captured mails'),
    LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
      .default('info')
      .describe('how much the server logs, as JSON lines on standard output'),
    METRICS_PORT: wholeNumber(0, 65_535, 0).describe(
      'the port at which Prometheus reads /metrics, of all processes together; another one than PORT; 0 is none',
    ),
    METRICS_HOST: text('127.0.0.1').describe('the address at which it does; whoever reaches it reads them'),
  }),
  Database: z.object({
    DATABASE_URL: databaseUrl('embedded').describe(
      'PostgreSQL 15 or later as postgresql://user:password@host:port/name, or "embedded" for one that the ' +
        'product runs itself under DATA_DIR; ?sslmode=verify-full demands TLS and a certificate; needed in ' +
        'production, otherwise embedded',
    ),
    DATABASE_DIRECT_URL: databaseUrl().describe(
      'the way to the same database around a pooler (PgBouncer) that DATABASE_URL leads to: notifications, jobs, ' +
        'migrations and backups need connections of their own; DATABASE_URL if unset',
    ),
    DATABASE_POOL_SIZE: wholeNumber(1, 200, 10).describe('connections per process'),
  }),
  Images: z.object({
    STORAGE_DRIVER: oneOf(['folder', 's3'])
      .default('folder')
      .describe('folder keeps images under DATA_DIR/media; s3 keeps them in a bucket of S3 or MinIO'),
    S3_ENDPOINT: httpUrl.optional().describe('the address of the S3 service; none means Amazon S3'),
    S3_REGION: text('us-east-1').describe('the region of the bucket'),
    S3_BUCKET: text('blog-images').describe('the bucket, of this site alone; made when it is not there'),
    S3_ACCESS_KEY_ID: optionalText.describe('needed when STORAGE_DRIVER is s3'),
    S3_SECRET_ACCESS_KEY: optionalText.describe('needed when STORAGE_DRIVER is s3'),
    S3_FORCE_PATH_STYLE: flag(true).describe('true for MinIO and most others, false for Amazon S3'),
    S3_PUBLIC_URL: httpUrl
      .optional()
      .describe('where browsers read the bucket, such as a CDN; without it the server hands images out at /media'),
    UPLOAD_SECONDS: wholeNumber(1, 30, 3).describe(
      'an upload is answered so many seconds after its last byte; an image that takes longer is refused',
    ),
    UPLOADS_UNUSED_DAYS: wholeNumber(1, 3650, 30).describe(
      'an image that no post shows, no draft and no earlier version either, is removed after so many days',
    ),
    SHARE_IMAGES: flag(true).describe(
      'whether the server draws a share image for every page, and for every published post without a picture of its own',
    ),
  }),
  Accounts: z.object(accountVariables),
  Mail: z.object({
    SMTP_URL: smtpUrl.describe(
      'the server that delivers mail, as smtp://user:password@host:port (TLS where the server offers it; with ' +
        '?requireTLS=true no mail goes without) or smtps://... (TLS from the start); needed in production, otherwise mails are captured',
    ),
    MAIL_FROM: z
      .string()
      .trim()
      .refine(isMailbox, 'must be name@host or Name <name@host>')
      .optional()
      .describe('whom mails are from, as name@host or Name <name@host>; SITE_NAME <SITE_EMAIL> if unset'),
    MAIL_CAPTURE: flag(false).describe(
      'true keeps every mail under DATA_DIR/mail, readable by everyone at /dev/mail, and sends none',
    ),
  }),
  Contact: z.object({
    CONTACT_TO: z
      .email({ error: 'must be an email address' })
      .optional()
      .describe('where enquiries of the contact form go; SITE_EMAIL if unset'),
    CONTACT_RETENTION_DAYS: wholeNumber(1, 3650, 30).describe(
      'days for which message and note of an enquiry are kept after it was closed; the privacy page says so',
    ),
    CONTACT_ACKNOWLEDGE: flag(false).describe(
      'true tells whoever writes that the message has arrived, without repeating it, at most once a day per address',
    ),
    CONTACT_RATE_LIMIT_ADDRESS: wholeNumber(0, 100_000, 20).describe(
      'enquiries per hour from one internet address; 0 is no limit',
    ),
    CONTACT_RATE_LIMIT_OVERALL: wholeNumber(0, 100_000, 500).describe('enquiries per hour in all; 0 is no limit'),
  }),
  Notifications: z.object({
    NOTIFY_WEBHOOK_URL: checkedText(findWebhookUrlProblem).describe(
      'the address of a chat or ticket system that is told of new enquiries, without their texts, and when an alarm begins ' +
        'and ends: mail that cannot be delivered, a disk that is nearly full, an old backup; nobody is told if unset',
    ),
    NOTIFY_WEBHOOK_SECRET: checkedText(findWebhookSecretProblem).describe(
      'the secret of its signatures (Standard Webhooks): 24 characters or more, or whsec_ and base64; needed with ' +
        'NOTIFY_WEBHOOK_URL (openssl rand -base64 32)',
    ),
  }),
  Backups: z.object({
    BACKUP_WARN_DAYS: wholeNumber(0, 3650, 7).describe(
      'days after which doctor and the start page of the admin area call the last backup old; 0 where backups are made ' +
        'by other means than backup create',
    ),
  }),
  Search: z.object({
    SEARCH_RATE_LIMIT: wholeNumber(0, 100_000, 120).describe(
      'searches per minute from one internet address, those while somebody types included; 0 is no limit',
    ),
  }),
  Reads: z.object({
    READ_COUNTS: flag(true).describe(
      'whether the site counts how often posts are read, and which sites led people to them; of people it keeps nothing; ' +
        'switched off, numbers of before stay',
    ),
    READ_COUNTS_DAYS: wholeNumber(31, 3650, 90).describe(
      'days for which reads are kept by day and site; months that lie before are kept as one number per post',
    ),
  }),
  'Search engines': z.object({
    INDEXNOW_KEY: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9-]{8,128}$/, 'must be 8 to 128 letters, digits and dashes')
      .optional()
      .describe(
        'tells search engines of posts that appear, change or go (indexnow.org), in production alone; any 8 to 128 letters, ' +
          'digits and dashes, which the site shows at /KEY.txt (openssl rand -hex 16); nobody is told if unset',
      ),
    INDEXNOW_ENDPOINT: exactUrl
      .default('https://api.indexnow.org/indexnow')
      .describe('the address that takes it; it passes it on to the search engines that take part'),
  }),
  'The company': z.object({
    ...companyVariables,
    SITE_LOCKED: lockedVariables,
    SITE_TIME_ZONE: timeZone.default('America/Los_Angeles').describe('the zone in which dates are shown and read'),
  }),
} as const;

/** All variables in one object schema, before the rules that concern several of them. */
export const environmentSchema = z.object({
  ...environmentGroups.Server.shape,
  ...environmentGroups.Database.shape,
  ...environmentGroups.Images.shape,
  ...environmentGroups.Accounts.shape,
  ...environmentGroups.Mail.shape,
  ...environmentGroups.Contact.shape,
  ...environmentGroups.Notifications.shape,
  ...environmentGroups.Backups.shape,
  ...environmentGroups.Search.shape,
  ...environmentGroups.Reads.shape,
  ...environmentGroups['Search engines'].shape,
  ...environmentGroups['The company'].shape,
});

/** The environment after validation, as plain typed values. */
export type Environment = z.infer<typeof environmentSchema>;
