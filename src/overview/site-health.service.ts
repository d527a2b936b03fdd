import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { DoctorService, type Finding } from '../doctor/doctor.service.js';
import { Clock } from '../shared/clock.js';
import type { SiteHealth } from '../shared/contracts/overview.js';
import { OFFICE_CHECKS, toAttention } from './office-words.js';
import { within } from './within.js';

/** How long findings count as new. */
const FRESH_MS = 5 * 60_000;
/** The same where something is wrong: whoever has mended it looks whether it is gone. */
const FRESH_BAD_MS = 30_000;
/** How long an examination may take in all; every check has a limit of its own as well. */
const LIMIT_MS = 60_000;
/** How long a request waits for the first examination of this process. */
const PATIENCE_MS = 1500;

interface Examined {
  readonly findings: readonly Finding[];
  readonly at: Date;
  /** By the clock that nobody sets. */
  readonly readAt: number;
}

/**
 * Knows what `doctor` found last. Findings are kept for a while, and looked for once at a time, however many ask: a
 * check that hangs holds nobody.
 */
@Injectable()
export class SiteHealthService {
  private readonly logger = new Logger(SiteHealthService.name);
  private known: Examined | undefined;
  private running: Promise<void> | undefined;
  private failure: unknown;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns what is known, and looks anew where that is old. Waits a little where nothing is known yet.
   * @throws the error of the last examination where none has succeeded so far
   */
  async read(): Promise<SiteHealth> {
    const context = { now: this.clock.now(), timeZone: this.config.site.timeZone };
    const isWell = toAttention(this.known?.findings ?? [], context).length === 0;
    if (this.known === undefined || performance.now() - this.known.readAt > (isWell ? FRESH_MS : FRESH_BAD_MS)) {
      const ending = this.begin();
      if (this.known === undefined) await within(PATIENCE_MS, ending).catch(() => undefined);
    }
    if (this.known === undefined && this.running === undefined) throw this.failure;
    return {
      checked_at: this.known?.at.toISOString() ?? null,
      is_running: this.running !== undefined,
      items: toAttention(this.known?.findings ?? [], context),
    };
  }

  /** Looks at everything that the office is told of. Tests put something else in its place. */
  async examine(): Promise<readonly Finding[]> {
    return await new DoctorService({ config: this.config, problems: [] }).examine(OFFICE_CHECKS);
  }

  private begin(): Promise<void> {
    return (this.running ??= within(LIMIT_MS, this.examine())
      .then((findings) => {
        this.known = { findings, at: this.clock.now(), readAt: performance.now() };
      })
      .catch((error: unknown) => {
        this.failure = error;
        this.logger.warn({ err: error }, 'The examination for the start page failed');
      })
      .finally(() => (this.running = undefined)));
  }
}
