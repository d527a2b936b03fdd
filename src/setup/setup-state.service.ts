import type { EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { ConfigError, CONFIG, type Config } from '../config/config.js';
import { isOverDemo } from '../config/demo.js';
import { ConnectionPool } from '../database/pool/connection-pool.js';
import { SiteService } from '../site/site.service.js';

/**
 * `running`: visitors are served. `setup`: nobody has set this site up, and `/setup` waits for whoever holds the token.
 * `unreachable`: the site is in use, and nobody has said where enquiries go; as they must not go to the address of an
 * example, visitors are not served.
 */
export type SitePhase = 'running' | 'setup' | 'unreachable';

/** The facts that decide about the phase, as {@link READ_SETUP_FACTS} reads it. */
export interface SetupFacts {
  readonly is_begun: boolean;
  readonly is_finished: boolean;
  readonly has_admin: boolean;
  readonly has_posts: boolean;
  /** True when the setting says the address of the company. */
  readonly has_email: boolean;
}

/** One row of {@link SetupFacts}. */
export const READ_SETUP_FACTS = `
  select exists (select from site_setup where begun_at is not null) as is_begun,
    exists (select from site_setup where finished_at is not null) as is_finished,
    exists (select from user_roles where role = 'admin') as has_admin,
    exists (select from blog_posts) as has_posts,
    exists (select from settings_documents
      where name = 'company' and jsonb_typeof(content -> 'email') = 'string') as has_email`;

/**
 * Returns true where the configuration alone says that visitors are served: outside of production, and where variables
 * say where enquiries go and whom mails are from.
 */
export function isDecidedByVariables({ mode, company, contact, mail }: Config): boolean {
  if (mode !== 'production' || company.given.includes('email')) return true;
  return contact.to !== null && mail.from.address !== null;
}

/** Decides the phase of a site whose variables leave it open. */
export function toPhase(facts: SetupFacts): SitePhase {
  const isInUse = facts.is_finished || facts.has_admin || facts.has_posts;
  // Who said it with a command, before the first start, has no need of a setup; the setup itself says it half way.
  if (isInUse || (facts.has_email && !facts.is_begun)) return facts.has_email ? 'running' : 'unreachable';
  return 'setup';
}

/** Explains to an operator what an `unreachable` site needs. */
export function describeUnreachable(config: Config): string {
  if (isOverDemo(config)) {
    return (
      `DATA_DIR: ${config.dataDir} has the data of the demo, with its posts and its administrator; name another folder ` +
      'for a site of your own, or set SITE_EMAIL where the demo has become it'
    );
  }
  return (
    'SITE_EMAIL: is missing; this site is in use, and nobody has said where enquiries go (set it, or CONTACT_TO and ' +
    'MAIL_FROM, or run settings set email)'
  );
}

/**
 * Knows whether this site is set up. Once it is, nothing is asked any more, until the facts of the company change, as
 * by a restore.
 */
@Injectable()
export class SetupStateService {
  private readonly logger = new Logger(SetupStateService.name);
  private readonly isDecided: boolean;
  private known: SitePhase = 'running';
  private reading: Promise<SitePhase> | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly pool: ConnectionPool,
    private readonly site: SiteService,
  ) {
    this.isDecided = isDecidedByVariables(config);
  }

  /** The phase as this process knows it. */
  get phase(): SitePhase {
    return this.known;
  }

  /** Reads the phase, and goes on to follow it. For servers, before they let anybody in. */
  async watch(): Promise<SitePhase> {
    this.site.onChange(() => void this.refreshOrKeep());
    return await this.refresh();
  }

  /** Returns the phase as it is now; another process may have ended the setup. Everybody who asks meanwhile shares one reading. */
  refresh(): Promise<SitePhase> {
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading;
  }

  /** As {@link refresh}; what was known stays where it cannot be read. */
  async refreshOrKeep(): Promise<SitePhase> {
    try {
      return await this.refresh();
    } catch (error) {
      this.logger.debug({ err: error }, 'Whether the site is set up could not be read');
      return this.known;
    }
  }

  /** Returns true while there is something to set up, as the transaction of `em` sees it. */
  async isWaiting(em: EntityManager): Promise<boolean> {
    if (this.isDecided) return false;
    const [facts] = await em.execute<SetupFacts[]>(READ_SETUP_FACTS);
    return facts !== undefined && toPhase(facts) === 'setup';
  }

  private async read(): Promise<SitePhase> {
    if (this.isDecided) return this.known;
    const [facts] = await this.pool.read<SetupFacts>(READ_SETUP_FACTS, []);
    const phase = facts === undefined ? this.known : toPhase(facts);
    if (phase === 'running' && this.known !== phase) {
      // Another process has opened the site: nobody gets a page of it with the facts of before.
      await this.site.refresh();
      if (!this.site.isReachable) return this.known;
    }
    if (phase === 'unreachable' && this.known !== phase) this.logger.error(describeUnreachable(this.config));
    this.known = phase;
    return phase;
  }
}

/** Refuses the start of a site that is in use and does not know where enquiries go. @throws ConfigError */
export function assertReachable(phase: SitePhase, config: Config): void {
  if (phase === 'unreachable') throw new ConfigError([describeUnreachable(config)]);
}
