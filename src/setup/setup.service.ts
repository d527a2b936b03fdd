import { EntityManager } from '@mikro-orm/postgresql';
import { HttpException, Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { GeneratedLinksService } from '../auth/admin/generated-links.service.js';
import { UsersService } from '../auth/admin/users.service.js';
import { CONFIG, type Config } from '../config/config.js';
import { RateLimitsService } from '../http/rate-limits/rate-limits.service.js';
import { MailSenderService } from '../mail/mail-sender.service.js';
import { RolesService } from '../roles/roles.service.js';
import { CompanyService, SettingsRefusedError } from '../settings/company.service.js';
import { OPERATOR } from '../shared/actor.js';
import { companyFacts } from '../shared/contracts/company-facts.js';
import { Clock } from '../shared/clock.js';
import { cleanFact } from '../shared/contracts/company-input.js';
import { START_PATH } from '../shared/start-path.js';
import { CLAIMS, isReservedPlace, SiteService } from '../site/site.service.js';
import { describeMailFailure } from './mail-failure-words.js';
import { SetupAccessService } from './setup-access.service.js';
import { SetupStateService } from './setup-state.service.js';
import { SetupInputError } from './setup.errors.js';
import type { SetupMailTest, SiteSetupRow } from './site-setup.entity.js';

export { SetupInputError, SetupRefusedError, type SetupRefusal } from './setup.errors.js';
export type { SetupMailTest } from './site-setup.entity.js';

/** The facts of the company that the setup asks for: those that visitors and mails cannot do without. */
export const SETUP_FACTS = ['name', 'email', 'phone'] as const;
/** The name of a fact that the setup asks for. */
export type SetupFact = (typeof SETUP_FACTS)[number];

/** The steps of the setup in their order. */
export const SETUP_STEPS = ['account', 'company', 'mail'] as const;
/** The name of a step of the setup. */
export type SetupStep = (typeof SETUP_STEPS)[number];

/** How far the setup is. */
export interface SetupProgress {
  /** The first step that is not done; the last one may be left out. */
  readonly next: SetupStep;
  /** The address of the account that becomes the administrator; null before that step. */
  readonly account: string | null;
  /** The facts as they are known: empty where they are examples. */
  readonly facts: Readonly<Record<SetupFact, string>>;
  /** Facts that SITE_LOCKED keeps as they are. */
  readonly locked: readonly SetupFact[];
  readonly mailTest: SetupMailTest | null;
  /** The host that mails are handed to; null where they are kept instead of sent. */
  readonly mailHost: string | null;
  /** The sender of mails. */
  readonly sender: string;
  /** The least length of a password. */
  readonly passwordLength: number;
}

/** An account as it was typed. */
interface TypedAccount {
  readonly email: string;
  readonly password: string;
  /** The password once more, which nobody could read while typing it. */
  readonly again?: string | undefined;
}

/** A mail server may take as long to answer; a browser waits. */
const MAIL_TEST_MS = 25_000;
const MAIL_TESTS = { count: 10, seconds: 600, burst: 10 };

/** Sets a new site up, step by step, for the browser that has come with a token (decision 110). */
@Injectable()
export class SetupService {
  constructor(
    private readonly em: EntityManager,
    @Inject(CONFIG) private readonly config: Config,
    private readonly access: SetupAccessService,
    private readonly state: SetupStateService,
    private readonly users: UsersService,
    private readonly roles: RolesService,
    private readonly company: CompanyService,
    private readonly site: SiteService,
    private readonly sender: MailSenderService,
    private readonly limits: RateLimitsService,
    private readonly clock: Clock,
    private readonly modules: ModuleRef,
  ) {}

  /** @throws SetupRefusedError, as all methods do */
  async readProgress(secret: string): Promise<SetupProgress> {
    const row = await this.access.read(secret);
    // Another process may have published what the last step said.
    await this.site.refresh();
    return await this.toProgress(row);
  }

  /**
   * Makes the account that becomes the administrator, in the place of one that this setup made before. It has no role
   * until the end, and nobody can sign in before.
   * @throws SetupInputError
   */
  async saveAccount(secret: string, { email, password, again = password }: TypedAccount): Promise<void> {
    const problems: Record<string, string> = {};
    if (email.trim() === '') problems['email'] = 'Enter the address that you sign in with.';
    if (password === '') problems['password'] = 'Choose a password.';
    else if (again !== password) problems['again'] = 'This is another one than above. Type both once more.';
    if (Object.keys(problems).length > 0) throw new SetupInputError(problems);
    // Before a password is hashed for a browser that may not go on.
    await this.access.read(secret);
    const steps = {
      before: async (em: EntityManager) => (await this.access.admit(em, secret)).user ?? null,
      after: async (em: EntityManager, user: string) => {
        Object.assign(await this.access.admit(em, secret), { user });
      },
    };
    try {
      await this.users.createUser(OPERATOR, { email, password, isConfirmed: true }, steps);
    } catch (error) {
      throw toInputError(error);
    }
  }

  /** Publishes what the company says of itself. @throws SetupInputError */
  async saveCompany(secret: string, given: Readonly<Record<SetupFact, string>>): Promise<void> {
    await this.access.read(secret);
    const { sources } = this.site.company;
    const asked = SETUP_FACTS.filter((name) => sources[name] !== 'locked');
    const problems = Object.fromEntries(asked.flatMap((name) => toProblem(name, given[name])));
    if (Object.keys(problems).length > 0) throw new SetupInputError(problems);
    // A new site claims nothing that nobody has said: the claims are of a company that does not exist.
    const unclaimed = CLAIMS.filter((name) => sources[name] === 'fallback').map((name) => [name, false] as const);
    const said = asked.map((name) => [name, given[name]] as const);
    const facts = Object.fromEntries<unknown>([...said, ...unclaimed]);
    try {
      await this.company.publish(OPERATOR, facts);
    } catch (error) {
      if (!(error instanceof SettingsRefusedError)) throw error;
      throw new SetupInputError(Object.fromEntries(error.problems.map(({ path, message }) => [path, `${message}.`])));
    }
  }

  /** Sends a mail and keeps what came of it. @throws SetupInputError */
  async testMail(secret: string, typed: string): Promise<void> {
    await this.access.read(secret);
    const to = String(cleanFact('email', typed));
    if (!/^[^\s@]+@[^\s@]+$/.test(to)) throw new SetupInputError({ to: 'Enter an email address that you can read.' });
    if (!(await this.limits.take(this.em.fork(), MAIL_TESTS, 'setup-mail'))) {
      throw new SetupInputError({ to: 'That was a lot of mails. Try again in some minutes, or go on without.' });
    }
    const mailTest = await this.trySending(to);
    await this.access.within(secret, async (_em, row) => void Object.assign(row, { mailTest }));
  }

  /**
   * Makes the account an administrator and opens the site.
   * @returns the address that signs it in, once
   * @throws SetupInputError naming the step that lacks something
   */
  async finish(secret: string): Promise<string> {
    const { next } = await this.readProgress(secret);
    if (next !== 'mail') throw new SetupInputError({ [next]: 'This step is not done yet.' });
    const redirectTo = new URL(START_PATH, this.config.site.url).href;
    const address = await this.access.within(secret, async (em, row) => {
      const user = row.user ?? '';
      await this.roles.grant(em, OPERATOR, user, { role: 'admin', mayPublish: true });
      // The test mail names an address, which nobody would find here who erases a person.
      const done = { tokens: [], sessionHash: null, sessionExpiresAt: null, mailTest: null };
      Object.assign(row, { ...done, finishedAt: this.clock.now() });
      await em.flush();
      return await this.modules.get(GeneratedLinksService, { strict: false }).issueSignIn(em, user, redirectTo);
    });
    await this.state.refreshOrKeep();
    return address;
  }

  private async toProgress({ user, mailTest }: SiteSetupRow): Promise<SetupProgress> {
    const account = user == null ? null : await this.users.findByEmailOrId(OPERATOR, user);
    const { values, sources } = this.site.company;
    const isSaid = (name: SetupFact) => sources[name] !== 'fallback';
    const facts = Object.fromEntries(SETUP_FACTS.map((name) => [name, isSaid(name) ? values[name] : '']));
    const { transport } = this.config.mail;
    return {
      next: account === null ? 'account' : SETUP_FACTS.every(isSaid) ? 'mail' : 'company',
      account: account?.email ?? null,
      facts: facts as SetupProgress['facts'],
      locked: SETUP_FACTS.filter((name) => sources[name] === 'locked'),
      mailTest: mailTest ?? null,
      mailHost: transport.kind === 'smtp' ? new URL(transport.url).host : null,
      sender: this.site.sender.address,
      passwordLength: this.config.auth.password.minLength,
    };
  }

  private async trySending(to: string): Promise<SetupMailTest> {
    const { transport } = this.config.mail;
    try {
      await this.sender.sendTest(to, { limitMs: MAIL_TEST_MS, sentBy: 'the setup' });
    } catch (error) {
      const { host, protocol } = new URL(transport.kind === 'smtp' ? transport.url : 'smtp:');
      const way = { host, isEncrypted: protocol === 'smtps:' };
      return { to, isSent: false, words: describeMailFailure(error, { ...way, sender: this.site.sender.address, to }) };
    }
    const words =
      transport.kind === 'smtp'
        ? `The mail server took a mail to ${to}. Look whether it arrives; it may be among the unwanted ones.`
        : 'The mail was kept on the server: MAIL_CAPTURE is set, so no mail leaves.';
    return { to, isSent: true, words };
  }
}

/** Puts what the accounts say about an address or a password beside its field. */
function toInputError(error: unknown): unknown {
  if (!(error instanceof HttpException) || error.getStatus() >= 500) return error;
  const { code } = error as HttpException & { readonly code?: string };
  if (code === 'email_exists') {
    const message = 'There is an account with this address already. Choose another one, or run roles grant for it.';
    return new SetupInputError({ email: message });
  }
  const field = code === 'weak_password' || error.message.startsWith('Password') ? 'password' : 'email';
  return new SetupInputError({ [field]: `${error.message.replace(/\.$/, '')}.` });
}

/** Refuses what nobody can be reached at, before the rules of the fact are asked. */
function toProblem(name: SetupFact, given: string): [SetupFact, string][] {
  const value = cleanFact(name, given);
  if (value === companyFacts[name].fallback || (name === 'email' && isReservedPlace(given.trim()))) {
    return [[name, 'This is an example. Enter what is true of the company.']];
  }
  return [];
}
