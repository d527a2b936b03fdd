import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { ContentListener } from '../database/content-listener.js';
import { readWithin } from '../database/database-unavailable.js';
import { ConnectionPool } from '../database/pool/connection-pool.js';
import { companyFacts } from '../shared/contracts/company-facts.js';
import type { Site } from '../shared/contracts/site.js';
import { toCompanyState, type CompanyState } from './company-state.js';
import { findExamples, findLeftOut } from './example-facts.js';
import { PAGES_DOCUMENT, PublishedTexts } from './site-edits.js';
import { toSite } from './to-site.js';

export { CHANGED, PAGES_DOCUMENT, PublishedTexts } from './site-edits.js';
export type { CompanyState, FactSource } from './company-state.js';
export { toSiteStyle } from './site-style.js';
export { CLAIMS, isReservedPlace, isSaid } from './example-facts.js';

/** The channel on which processes tell each other that a setting was published. */
export const SETTINGS_CHANNEL = 'settings_published';
/** The name of the document that holds the company's facts. */
export const COMPANY_DOCUMENT = 'company';
/** Reads what is published: no row where nobody has set anything. Its one parameter is the name of the document. */
export const READ_PUBLISHED = 'select content from settings_documents where name = $1';
/** Reads what is published of both documents that pages are made of, as it was at one moment. */
const READ_SITE = 'select name, content from settings_documents where name in ($1, $2)';

/** How long a reading may take: a start does not wait for longer. */
const READ_LIMIT_MS = 1500;
/** After a reading that failed. */
const RETRY_MS = 1000;
/** How often a process looks for itself while it cannot hear of changes. */
const UNHEARD_MS = 5000;

/** The site at one moment, and where its facts are from. */
export interface SiteMoment {
  readonly site: Site;
  readonly company: CompanyState;
  /** The texts of pages. */
  readonly texts: PublishedTexts;
}

/** Returns the site as the stored facts of the company, the stored texts of pages and the environment make it. */
export function toMoment({ site, company, storage }: Config, content: unknown, pages: unknown = {}): SiteMoment {
  const state = toCompanyState(company, content);
  const publicBase = storage.driver === 's3' ? storage.publicUrl : undefined;
  const texts = new PublishedTexts(pages, site.timeZone);
  return { site: toSite(site, state.values, texts, publicBase), company: state, texts };
}

/**
 * Knows what the site says of the company at this moment. It is read at the start and whenever any process publishes a
 * setting; while the database is away, what was known last goes on to be true, or what the variables say.
 */
@Injectable()
export class SiteService implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  /** Tests set another one: a busy machine may need longer for what is well. */
  readLimitMs = READ_LIMIT_MS;
  private readonly logger = new Logger(SiteService.name);
  private readonly listeners = new Set<() => void>();
  private moment: SiteMoment;
  private text = '';
  private stored: unknown = {};
  private storedPages: unknown = {};
  private running: Promise<void> | undefined;
  private next: Promise<void> | undefined;
  private retry: NodeJS.Timeout | undefined;
  private lookout: NodeJS.Timeout | undefined;
  private hasEnded = false;
  private isBehind = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly pool: ConnectionPool,
    private readonly listener: ContentListener,
  ) {
    this.moment = toMoment(config, {});
    listener.onMessage(SETTINGS_CHANNEL, () => void this.refresh());
    // Whatever was said while there was no connection went unheard.
    listener.onConnect(async () => void this.refresh());
  }

  /** The site as it is now. Ask when it is needed, and once for things that must agree. */
  get current(): Site {
    return this.moment.site;
  }

  /** The site as it is now, with all that pages are made of: for what must agree. */
  get now(): SiteMoment {
    return this.moment;
  }

  /** The texts of pages as they are now. */
  get texts(): PublishedTexts {
    return this.moment.texts;
  }

  /** The facts of the company as they are now, and where each is from. */
  get company(): CompanyState {
    return this.moment.company;
  }

  /** The published setting as it is stored. */
  get content(): unknown {
    return this.stored;
  }

  /** The published texts of pages as they are stored. */
  get pagesContent(): unknown {
    return this.storedPages;
  }

  /** Calls `listener` after the site has become another one. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  /**
   * False in production where nobody has said where enquiries go and whom mails are from: no mail leaves then, as it
   * would go to the address of an example.
   */
  get isReachable(): boolean {
    const { mode, contact, mail, company } = this.config;
    if (mode !== 'production' || (contact.to !== null && mail.from.address !== null)) return true;
    return this.company.sources.email === 'setting' || company.given.includes('email');
  }

  /** The sender of mails: as MAIL_FROM says, or the company at its address. */
  get sender(): { readonly name: string; readonly address: string } {
    const { from } = this.config.mail;
    return { name: from.name ?? this.current.name, address: from.address ?? this.current.email };
  }

  /** The recipient of enquiries: as CONTACT_TO says, or the company. */
  get enquiriesTo(): string {
    return this.config.contact.to ?? this.current.email;
  }

  async onModuleInit(): Promise<void> {
    await this.refresh();
  }

  onApplicationBootstrap(): void {
    this.lookout = setInterval(() => this.lookIfUnheard(), UNHEARD_MS).unref();
  }

  beforeApplicationShutdown(): void {
    this.hasEnded = true;
    clearTimeout(this.retry);
    clearInterval(this.lookout);
  }

  /**
   * Resolves when what was published before this call is known, or cannot be read now. One reading follows the other, so
   * that an earlier answer never takes the place of a later one.
   */
  refresh(): Promise<void> {
    // One that has not begun yet sees what is published now.
    this.next ??= (this.running ?? Promise.resolve()).then(() => {
      this.next = undefined;
      this.running = this.read();
      return this.running;
    });
    return this.next;
  }

  private async read(): Promise<void> {
    clearTimeout(this.retry);
    if (this.hasEnded) return;
    try {
      const rows = await readWithin(
        this.readLimitMs,
        this.pool.read<{ name: string; content: unknown }>(READ_SITE, [COMPANY_DOCUMENT, PAGES_DOCUMENT]),
      );
      const contentOf = (document: string) => rows.find(({ name }) => name === document)?.content ?? {};
      this.take(contentOf(COMPANY_DOCUMENT), contentOf(PAGES_DOCUMENT));
      this.isBehind = false;
    } catch (error) {
      // Said once: while the database is away it is the same every second.
      if (!this.isBehind)
        this.logger.warn({ err: error }, 'The settings cannot be read; what was known before is shown');
      this.isBehind = true;
      this.retry = setTimeout(() => void this.refresh(), RETRY_MS).unref();
    }
  }

  private take(content: unknown, pages: unknown): void {
    const text = JSON.stringify([content, pages]);
    if (text === this.text) return;
    this.text = text;
    this.stored = content;
    this.storedPages = pages;
    this.moment = toMoment(this.config, content, pages);
    for (const listener of this.listeners) listener();
  }

  /** As pages do, which are rendered anew then. In the command line nothing is ever heard, and nothing runs for long. */
  private lookIfUnheard(): void {
    const { heardAt } = this.listener;
    if (heardAt > -Infinity && performance.now() - heardAt > UNHEARD_MS) void this.refresh();
  }
}

/** Says which variables do nothing, as the setting counts; empty where all do. */
export function describeIgnored({ ignored }: CompanyState): string {
  if (ignored.length === 0) return '';
  const names = ignored.map((name) => companyFacts[name].variable).join(', ');
  return `${names}: ignored, as the setting says something else`;
}

/** Says what of the company is an example still, and what pages leave out. */
export function examineCompany(
  config: Config,
  { company }: SiteMoment,
): { readonly examples: readonly string[]; readonly leftOut: readonly string[] } {
  return { examples: findExamples(config, company), leftOut: findLeftOut(config, company) };
}
