import { hostname } from 'node:os';
import { EntityManager } from '@mikro-orm/postgresql';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { DoctorService, type Finding } from '../doctor/doctor.service.js';
import { MarksService } from '../marks/marks.service.js';
import { Clock } from '../shared/clock.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import { DISK_ALARM, findAlarms, toGoneDisk, WATCHED_CHECKS, type AlarmState } from './alarms.js';
import { within } from './within.js';

const ROUND_MS = 5 * 60_000;
/** For all checks together. */
const LIMIT_MS = 60_000;
/** Rounds without a word from a machine after which its finding counts no longer, as when it is gone. */
const SILENT_ROUNDS = 3;
/** Looks in a row that find something bad before it is told: one may be a mail server that starts again. */
const LOOKS = 2;

/** Looks every five minutes whether something needs an operator, and tells the other system when it begins and when it ends. */
@Injectable()
export class AlarmWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(AlarmWatch.name);
  private readonly badLooks = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private telling: Promise<void> = Promise.resolve();
  private isEnding = false;
  private rounds = 0;

  constructor(
    private readonly em: EntityManager,
    private readonly marks: MarksService,
    private readonly webhooks: WebhooksService,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.begin(), ROUND_MS).unref();
  }

  /** Waits for what is being told, and not for checks: a mail server that hangs would keep the process from ending. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isEnding = true;
    clearInterval(this.timer);
    await this.telling.catch(() => undefined);
  }

  /** Tells what has begun and what has ended. Of several processes that find the same, one tells it. */
  async tell(findings: readonly Finding[], machine = hostname()): Promise<void> {
    for (const alarm of findAlarms(findings, { now: this.clock.now(), machine })) {
      const looks = alarm.isOn ? (this.badLooks.get(alarm.name) ?? 0) + 1 : 0;
      this.badLooks.set(alarm.name, looks);
      if (!alarm.isOn || looks >= LOOKS) await this.tellOne(alarm, machine);
    }
    this.rounds += 1;
    // Where all were down, the others have not had their say before.
    if (this.rounds >= SILENT_ROUNDS) await this.endGone();
  }

  private begin(): void {
    // One that hangs is not joined by another one.
    this.running ??= this.look()
      .catch((error: unknown) => {
        if (!this.isEnding) this.logger.warn({ err: error }, 'Looking for alarms failed');
      })
      .finally(() => (this.running = undefined));
  }

  private async look(): Promise<void> {
    const doctor = new DoctorService({ config: this.config, problems: [] });
    const findings = await within(LIMIT_MS, doctor.examine(WATCHED_CHECKS));
    if (this.isEnding) return;
    this.telling = this.tell(findings);
    await this.telling;
  }

  /** The mark is there while the alarm is on: whoever makes it tells that it began, whoever removes it that it ended. */
  private async tellOne(alarm: AlarmState, machine: string): Promise<void> {
    const { name, isOn, isOfAll, isOfMachine, text, data } = alarm;
    await this.em.fork().transactional(async (em) => {
      const now = this.clock.now();
      if (isOfMachine) await this.marks.keep(em, `seen.${name}`, isOn ? now : null);
      if (isOfAll) {
        await this.marks.keep(em, `seen.${name}.${machine}`, isOn ? now : null);
        // Another machine finds it still: it would be told in turns that it ended and began.
        if (!isOn && (await this.marks.countSince(em, `seen.${name}.`, silentSince(now), now)) > 0) return;
      }
      const hasChanged = isOn
        ? await this.marks.begin(em, `alarm.${name}`, now)
        : await this.marks.end(em, `alarm.${name}`);
      if (!hasChanged) return;
      await this.webhooks.enqueue(em, { type: isOn ? 'alarm.began' : 'alarm.ended', text, data });
    });
  }

  /** Ends the alarms of machines that are gone, as nobody else would. */
  private async endGone(): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const now = this.clock.now();
      await this.marks.countSince(em, `seen.${DISK_ALARM}`, silentSince(now), now);
      for (const machine of await this.marks.endUnseen(em, DISK_ALARM)) {
        await this.webhooks.enqueue(em, { type: 'alarm.ended', ...toGoneDisk(machine) });
      }
    });
  }
}

function silentSince(now: Date): Date {
  return new Date(now.getTime() - SILENT_ROUNDS * ROUND_MS);
}
