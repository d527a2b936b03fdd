import cluster, { type Worker } from 'node:cluster';
import { WORKER_SCRAPE_MS } from '../config/time-limits.js';
import { addUp } from './exposition-text.js';
import { counter, gauge, labeled, single, type Family } from './family.js';

/** A request from the process that watches workers to one of them. */
interface Question {
  readonly askForMetrics: number;
}

interface Answer {
  readonly metricsOf: number;
  readonly families: readonly Family[];
}

/** Lets a worker answer the process that watches it, for as long as both live. */
export function answerForMetrics(collect: () => Promise<readonly Family[]>): void {
  process.on('message', (message: unknown) => {
    if (!isQuestion(message)) return;
    void collect().then((families) => {
      const answer: Answer = { metricsOf: message.askForMetrics, families };
      // Nobody is there any more to be told of a failure.
      if (process.connected) process.send?.(answer, undefined, undefined, () => undefined);
    });
  });
}

/**
 * Collects from all workers, without waiting for one that hangs. The last known counts of a worker stay in the sum when
 * it is gone or silent, so that no counter ever goes back; its later counts are lost.
 */
export class WorkerMetrics {
  private readonly workers = new Set<Worker>();
  private readonly last = new Map<number, readonly Family[]>();
  private readonly pending = new Map<number, (families: readonly Family[]) => void>();
  private ofTheDead: Promise<readonly Family[]> = Promise.resolve([]);
  private collecting: Promise<readonly (readonly Family[])[]> | undefined;
  private questionCount = 0;
  private endCount = 0;

  constructor() {
    cluster.on('message', (_worker, message: unknown) => {
      if (isAnswer(message)) this.pending.get(message.metricsOf)?.(message.families);
    });
    // `cluster.workers` lacks those that were let go and still answer visitors (server/shared-port.ts).
    cluster.on('fork', (worker) => this.workers.add(worker));
    cluster.on('exit', (worker) => this.keepCountsOf(worker));
  }

  /** Scrapes that meet share one question. */
  collect(): Promise<readonly (readonly Family[])[]> {
    this.collecting ??= this.askAll().finally(() => (this.collecting = undefined));
    return this.collecting;
  }

  private async askAll(): Promise<readonly (readonly Family[])[]> {
    const asked = [...this.workers].filter((worker) => worker.isConnected());
    const answers = await Promise.all(asked.map((worker) => this.ask(worker)));
    for (const [index, families] of answers.entries()) {
      const worker = asked[index];
      if (families && worker && !worker.isDead()) this.last.set(worker.id, families);
    }
    const answered = asked.filter((_worker, index) => answers[index]);
    const silent = asked.filter((worker) => !answered.includes(worker) && !worker.isDead());
    const isFresh = (id: number) => answered.some((worker) => worker.id === id);
    const known = [...this.last].map(([id, families]) => (isFresh(id) ? families : countersIn(families)));
    return [this.aboutWorkers(answered.length, silent.length), ...known, await this.ofTheDead];
  }

  /** Undefined when it does not answer in time, or ends instead. */
  private async ask(worker: Worker): Promise<readonly Family[] | undefined> {
    const id = (this.questionCount += 1);
    const { promise, resolve } = Promise.withResolvers<readonly Family[] | undefined>();
    const giveUp = () => resolve(undefined);
    const timer = setTimeout(giveUp, WORKER_SCRAPE_MS);
    this.pending.set(id, resolve);
    worker.once('disconnect', giveUp);
    const question: Question = { askForMetrics: id };
    worker.send(question, (error) => error && giveUp());
    const families = await promise;
    clearTimeout(timer);
    this.pending.delete(id);
    worker.off('disconnect', giveUp);
    return families;
  }

  private keepCountsOf(worker: Worker): void {
    const { id } = worker;
    this.workers.delete(worker);
    this.endCount += 1;
    const families = this.last.get(id);
    if (families === undefined) return;
    this.last.delete(id);
    this.ofTheDead = this.ofTheDead.then((dead) => addUp([dead, countersIn(families)]));
  }

  private aboutWorkers(answered: number, silent: number): Family[] {
    const states = [
      ['answering', answered],
      ['silent', silent],
    ] as const;
    return [
      gauge(
        { name: 'server_workers', help: 'Processes that answer visitors, by whether they answered this scrape' },
        labeled('state', states),
      ),
      counter({ name: 'server_worker_ends_total', help: 'Workers that have ended' }, single(this.endCount)),
    ];
  }
}

function countersIn(families: readonly Family[]): readonly Family[] {
  return families.filter(({ type }) => type !== 'gauge');
}

function isQuestion(message: unknown): message is Question {
  return typeof message === 'object' && message !== null && 'askForMetrics' in message;
}

function isAnswer(message: unknown): message is Answer {
  return typeof message === 'object' && message !== null && 'metricsOf' in message;
}
