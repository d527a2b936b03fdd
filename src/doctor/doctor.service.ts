import { ENV_FILE, type Config } from '../config/config.js';
import { connectDirectly, NoDatabaseYetError, type ConnectedDatabase } from '../database/direct-connection.js';
import { COMPANY_DOCUMENT, READ_PUBLISHED } from '../site/site.service.js';
import { checkAdminFactors } from './check-admin-factors.js';
import { checkBackup } from './check-backup.js';
import {
  checkClock,
  checkConnections,
  checkMigrations,
  checkQueue,
  checkServer,
  explainNoDatabase,
} from './check-database.js';
import { checkEncryption } from './check-encryption.js';
import { checkImages } from './check-images.js';
import { checkDisk, checkKeys, checkNode } from './check-machine.js';
import { checkPasswords } from './check-passwords.js';
import { checkPublicUrl } from './check-public-url.js';
import { checkProvider } from './check-provider.js';
import { checkRemoteImages } from './check-remote-images.js';
import { checkMailBudget } from './check-mail-budget.js';
import { checkMail, checkStorage } from './check-services.js';
import { checkLinks } from './check-links.js';
import { checkSearchEngines } from './check-search-engines.js';
import { checkSetup } from './check-setup.js';
import { checkWebhook } from './check-webhook.js';
import { checkProxies, checkSite } from './check-settings.js';
import { examineConfig, variableOf, type ExaminedConfig } from './examined-config.js';
import { explainUnreachable } from './unreachable-database.js';
import { describeError, fail, ok, warn, type Finding, type Statement } from './finding.js';

export type { Finding, FindingLevel } from './finding.js';

const LIMIT_MS = 20_000;

/** A check and the variables it goes by: where one of them is wrong, there is nothing to check. */
interface Check {
  readonly name: string;
  readonly variables: RegExp;
  /** @param company the published setting of the company's facts, as far as the database says */
  readonly run: (config: Config, company: unknown) => Statement | Promise<Statement>;
}

interface DatabaseCheck {
  readonly name: string;
  readonly run: (database: ConnectedDatabase, config: Config) => Promise<Statement>;
}

const databaseChecks: readonly DatabaseCheck[] = [
  { name: 'database', run: checkServer },
  { name: 'migrations', run: checkMigrations },
  { name: 'connections', run: checkConnections },
  { name: 'clock', run: checkClock },
  { name: 'queue', run: checkQueue },
  { name: 'mail-budget', run: checkMailBudget },
  { name: 'images', run: checkImages },
  { name: 'remote-images', run: checkRemoteImages },
  { name: 'admin-factors', run: checkAdminFactors },
  { name: 'links', run: checkLinks },
  { name: 'search-engines', run: checkSearchEngines },
  { name: 'webhook', run: checkWebhook },
  { name: 'backup', run: checkBackup },
  { name: 'setup', run: checkSetup },
];

const otherChecks: readonly Check[] = [
  { name: 'storage', variables: /^(?:STORAGE_|S3_|DATA_DIR)/, run: checkStorage },
  { name: 'mail', variables: /^(?:SMTP_|MAIL_)/, run: checkMail },
  { name: 'provider', variables: /^(?:AUTH_OIDC_|AUTH_EXTERNAL_URL|PUBLIC_URL)/, run: checkProvider },
  { name: 'encryption', variables: /^(?:DATABASE_|SMTP_|MAIL_CAPTURE|STORAGE_|S3_)/, run: checkEncryption },
  { name: 'keys', variables: /^(?:AUTH_JWT_|DATA_DIR)/, run: checkKeys },
  { name: 'disk', variables: /^DATA_DIR/, run: checkDisk },
  { name: 'public-url', variables: /^PUBLIC_URL/, run: (config) => checkPublicUrl(config) },
  { name: 'passwords', variables: /^AUTH_BREACHED_PASSWORDS/, run: checkPasswords },
  { name: 'proxies', variables: /^(?:TRUSTED_PROXIES|AUTH_IP_HEADER|DATA_DIR)/, run: checkProxies },
];

/** The check that needs the database to say what counts, and can do without. */
const siteCheck: Check = { name: 'site', variables: /^(?:SITE_|CONTACT_TO|MAIL_FROM)/, run: checkSite };

/** Finds problems of an installation. Each check stands alone: one that fails does not stop the others. */
export class DoctorService {
  private company: unknown = {};

  /** @param examined the configuration; that of this process if left out */
  constructor(private readonly examined: ExaminedConfig = examineConfig()) {}

  /**
   * Everything that was looked at, in a fixed order. Changes nothing but a file that it stores and removes.
   * @param only names of checks; all of them if left out
   */
  async examine(only?: ReadonlySet<string>): Promise<Finding[]> {
    const isWanted = ({ name }: { readonly name: string }) => only?.has(name) ?? true;
    const node: Finding = { check: 'node', ...checkNode() };
    const rest = await Promise.all([
      this.examineDatabase(databaseChecks.filter(isWanted)),
      ...otherChecks.filter(isWanted).map(async (check) => [await this.examineOne(check)]),
    ]);
    const site = isWanted(siteCheck) ? [await this.examineOne(siteCheck)] : [];
    if (only) return [...rest.flat(), ...site];
    return [...this.findBadVariables(), ...this.findWarnings(), node, ...rest.flat(), ...site];
  }

  /**
   * Explains an error of the network that is a database which nobody reaches, and advises. Null for any other error, such
   * as one of a mail server or a bucket.
   */
  explain(error: unknown): Statement | null {
    const { config } = this.examined;
    return config === null ? null : explainUnreachable(error, config);
  }

  private findBadVariables(): Finding[] {
    const check = 'configuration';
    const { problems } = this.examined;
    if (problems.length === 0) return [{ check, ...ok('every variable can be used') }];
    return problems.map((problem) => ({
      check,
      ...fail(problem, adviseOn(problem)),
    }));
  }

  private findWarnings(): Finding[] {
    const warnings = this.examined.config?.warnings ?? [];
    return warnings.map((warning) => ({
      check: 'configuration',
      ...warn(warning, `npm run cli -- config example tells what to set.`),
    }));
  }

  private async examineOne({ name, variables, run }: Check): Promise<Finding> {
    const { config, problems } = this.examined;
    const culprit = problems.map(variableOf).find((variable) => variables.test(variable));
    if (config === null || culprit !== undefined) return { check: name, ...notChecked(culprit) };
    return { check: name, ...(await guarded(async () => run(config, this.company))) };
  }

  private async examineDatabase(checks: readonly DatabaseCheck[]): Promise<Finding[]> {
    const { config, problems } = this.examined;
    const culprit = problems.map(variableOf).find((variable) => /^(?:DATABASE_|DATA_DIR)/.test(variable));
    if (config === null || culprit !== undefined) {
      return checks.map(({ name }) => ({ check: name, ...notChecked(culprit) }));
    }
    let database: ConnectedDatabase;
    try {
      database = await connectDirectly(config, 'doctor');
    } catch (error) {
      return checks.map(({ name }, index) => ({
        check: name,
        ...(index === 0 ? explainNoDatabase(error, config) : notReached(error)),
      }));
    }
    try {
      this.company = await readCompany(database);
      const findings: Finding[] = [];
      for (const { name, run } of checks) {
        findings.push({ check: name, ...(await guarded(() => run(database, config))) });
      }
      return findings;
    } finally {
      await database.close();
    }
  }
}

/** Nothing where the schema is older than settings are; the other checks say why a database does not answer. */
async function readCompany({ client }: ConnectedDatabase): Promise<unknown> {
  try {
    const { rows } = await client.query<{ content: unknown }>(READ_PUBLISHED, [COMPANY_DOCUMENT]);
    return rows[0]?.content ?? {};
  } catch {
    return {};
  }
}

function adviseOn(problem: string): string {
  const name = variableOf(problem);
  if (name === ENV_FILE) return 'Correct the file, and run this again: nothing that it says is known yet.';
  return `Set ${name}; npm run cli -- config example tells how.`;
}

function notChecked(culprit: string | undefined): Statement {
  return fail('cannot be checked', `Set ${culprit ?? 'the variables of the configuration'} first.`);
}

function notReached(error: unknown): Statement {
  const level = error instanceof NoDatabaseYetError ? warn : fail;
  return level('cannot be checked without the database', 'See to the database first.');
}

/** A check that breaks or hangs is a finding as well. */
async function guarded(run: () => Promise<Statement>): Promise<Statement> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<Statement>((resolve) => {
    const late = fail(`no answer within ${LIMIT_MS / 1000} s`, 'See that what it needs is up and can be reached.');
    timer = setTimeout(() => resolve(late), LIMIT_MS);
  });
  try {
    return await Promise.race([run(), limit]);
  } catch (error) {
    return fail(describeError(error), 'See to what the message names; the log of the server may say more.');
  } finally {
    clearTimeout(timer);
  }
}
