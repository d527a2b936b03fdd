import { Body, Controller, Get, Inject, Logger, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONFIG, type Config } from '../../config/config.js';
import { Public } from '../../http/public.decorator.js';
import { readCookie } from '../../http/read-cookie.js';
import { SETUP_HOURS, SetupAccessService } from '../../setup/setup-access.service.js';
import { SetupStateService } from '../../setup/setup-state.service.js';
import {
  SETUP_STEPS,
  SetupInputError,
  SetupRefusedError,
  SetupService,
  type SetupStep,
} from '../../setup/setup.service.js';
import { paths, SETUP_PATH } from '../../shared/paths.js';
import { CLIENT_BUNDLE, type ClientBundle } from '../client-bundle.js';
import { PageAnswers } from '../page-answers.js';
import { PageRenderer } from '../page-renderer.js';
import { lostEntryPage, overPage, stepPage, tokenPage } from './setup-pages.js';

const HEADERS = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
/** A longer text is no value of ours. */
const VALUE_LENGTH = 1000;

type Values = Readonly<Record<string, string>>;

/**
 * The setup of a new site, in forms that need no scripts (decision 110). Once the site is set up, these addresses are
 * like any other without a page.
 */
@Public()
@ApiExcludeController()
@Controller(SETUP_PATH)
export class SetupController {
  private readonly logger = new Logger(SetupController.name);
  private readonly styles: readonly string[];
  private readonly isHttps: boolean;
  private readonly cookieName: string;

  constructor(
    private readonly setup: SetupService,
    private readonly access: SetupAccessService,
    private readonly state: SetupStateService,
    private readonly renderer: PageRenderer,
    private readonly answers: PageAnswers,
    @Inject(CLIENT_BUNDLE) bundle: ClientBundle,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.styles = bundle.assetsFor([]).styles;
    this.isHttps = config.site.url.startsWith('https:');
    this.cookieName = this.isHttps ? '__Secure-site_setup' : 'site_setup';
  }

  @Get()
  async show(
    @Query('step') wanted: unknown,
    @Query('entered') entered: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    if (this.state.phase !== 'setup') {
      await this.answers.send(request, reply, SETUP_PATH, () => this.renderer.render(SETUP_PATH));
      return;
    }
    await this.answer(request, reply, async (secret) => {
      if (secret === null) {
        // Browsers drop a cookie for https that comes over http, as before the proxy is there.
        const address = new URL(SETUP_PATH, this.config.site.url).href;
        const page = entered === undefined ? tokenPage(this.styles) : lostEntryPage(this.styles, address);
        return await this.send(reply, 200, page);
      }
      const progress = await this.setup.readProgress(secret);
      const next = SETUP_STEPS.indexOf(progress.next);
      const step = SETUP_STEPS.slice(0, next).find((each) => each === wanted) ?? progress.next;
      await this.send(reply, 200, stepPage(this.styles, step, progress));
    });
  }

  @Post()
  async enter(@Body() body: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    await this.answer(request, reply, async () => {
      const secret = await this.access.enter(toValues(body)['token'] ?? '', request.clientAddress);
      await this.goOn(reply.header('set-cookie', this.cookieOf(secret, SETUP_HOURS * 3600)), '?entered');
    });
  }

  @Post('account')
  async saveAccount(@Body() body: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { email = '', password = '', again } = toValues(body);
    await this.doStep(request, reply, 'account', { email }, (secret) =>
      this.setup.saveAccount(secret, { email, password, again }),
    );
  }

  @Post('company')
  async saveCompany(@Body() body: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { name = '', email = '', phone = '' } = toValues(body);
    const facts = { name, email, phone };
    await this.doStep(request, reply, 'company', facts, (secret) => this.setup.saveCompany(secret, facts));
  }

  @Post('mail')
  async testMail(@Body() body: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const { to = '' } = toValues(body);
    await this.doStep(request, reply, 'mail', { to }, (secret) => this.setup.testMail(secret, to));
  }

  @Post('finish')
  async finish(@Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    await this.answer(request, reply, async (secret) => {
      const address = await this.setup.finish(secret ?? '').catch((error: unknown) => {
        if (error instanceof SetupInputError) return null;
        throw error;
      });
      // A step before is not done.
      if (address === null) return await this.goOn(reply);
      reply.header('set-cookie', this.cookieOf('', 0)).header('cache-control', 'no-store');
      // Browsers let no form lead to another origin: who came by a tunnel signs in by hand.
      await reply.redirect(isOwnOrigin(request, this.config.site.url) ? address : paths.auth, 303);
    });
  }

  /** Takes a step in and goes on with the next one, or shows it again with what was wrong. */
  private async doStep(
    request: FastifyRequest,
    reply: FastifyReply,
    step: SetupStep,
    values: Values,
    task: (secret: string) => Promise<void>,
  ): Promise<void> {
    await this.answer(request, reply, async (secret) => {
      try {
        await task(secret ?? '');
        await this.goOn(reply, step === 'account' ? '?step=company' : '');
      } catch (error) {
        if (!(error instanceof SetupInputError)) throw error;
        const progress = await this.setup.readProgress(secret ?? '');
        await this.send(reply, 422, stepPage(this.styles, step, progress, { values, problems: error.problems }));
      }
    });
  }

  /** Answers browsers that may not go on with what they can do about it. */
  private async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    task: (secret: string | null) => Promise<unknown>,
  ): Promise<void> {
    if (request.method === 'POST' && isFromElsewhere(request, this.config.site.url)) {
      await this.send(reply, 403, tokenPage(this.styles));
      return;
    }
    try {
      await task(readCookie(request.headers.cookie, this.cookieName) ?? null);
    } catch (error) {
      if (!(error instanceof SetupRefusedError)) throw error;
      const { reason, seconds } = error;
      this.logger.warn({ reason, ip: request.clientAddress }, 'A browser may not go on with the setup');
      if (reason === 'over') {
        await this.send(reply, 409, overPage(this.styles));
        return;
      }
      if (seconds > 0) reply.header('retry-after', seconds);
      const isAsked = request.method === 'GET';
      const status = reason === 'too_many_tries' ? 429 : isAsked ? 200 : 403;
      await this.send(reply, status, tokenPage(this.styles, reason, seconds));
    }
  }

  private async goOn(reply: FastifyReply, query = ''): Promise<void> {
    await reply.header('cache-control', 'no-store').redirect(`${SETUP_PATH}${query}`, 303);
  }

  private async send(reply: FastifyReply, status: number, page: string): Promise<void> {
    await reply.status(status).headers(HEADERS).send(page);
  }

  private cookieOf(secret: string, seconds: number): string {
    const rest = `Path=${SETUP_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
    return `${this.cookieName}=${secret}; ${rest}${this.isHttps ? '; Secure' : ''}`;
  }
}

/** The texts of a form; what is no text counts as absent. */
function toValues(body: unknown): Values {
  const entries = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  return Object.fromEntries(
    entries.filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].length <= VALUE_LENGTH,
    ),
  );
}

/** Returns true for a form of another site. The cookie stays away from those as well, but the first form has none yet. */
function isFromElsewhere(request: FastifyRequest, siteUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (typeof site === 'string' && site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && origin !== new URL(siteUrl).origin && hostOf(origin) !== request.headers.host;
}

/** Returns true for a browser that reached the site at its public address. */
function isOwnOrigin({ headers }: FastifyRequest, siteUrl: string): boolean {
  return (hostOf(headers.origin ?? '') ?? headers.host) === new URL(siteUrl).host;
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
