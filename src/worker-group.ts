import cluster, { type Address, type Worker } from 'node:cluster';
import { once } from 'node:events';

/** A worker that lived for so long did not die of its start. */
const STABLE_MS = 10_000;
/** Between a death and the next start; doubles with every death in a row, up to `MAX_DELAY_MS`. */
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;
/** After so many deaths in a row with nobody left to serve, it is no accident. */
const MAX_DEATHS = 5;
/** Longer than requests, jobs and connections take to end in a worker. */
const STOP_LIMIT_MS = 30_000;

interface Options {
  readonly count: number;
  /** Told of every death, in a sentence. */
  readonly handleDeath: (sentence: string) => void;
  /** Called once, when workers do not stay alive. */
  readonly handleCollapse: (error: Error) => void;
}

/** Processes that run this same program and share its port. One that dies is replaced. */
export class WorkerGroup {
  private isStopping = false;
  private deathsInARow = 0;

  constructor(private readonly options: Options) {}

  private get workers(): Worker[] {
    return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  }

  /**
   * Resolves with the address when every worker listens.
   * @throws Error if one of them ends instead; it has said why
   */
  async start(): Promise<Address> {
    const starts = Array.from({ length: this.options.count }, async () => {
      const worker = cluster.fork();
      const ended = once(worker, 'exit').then(([code, signal]: unknown[]) => {
        // Whoever stopped it does not wait for its start.
        if (this.isStopping) return new Promise<never>(() => undefined);
        throw new Error(`A worker ended while it started (${String(signal ?? code)}).`);
      });
      const [address] = (await Promise.race([once(worker, 'listening'), ended])) as [Address];
      ended.catch(() => undefined);
      return address;
    });
    const [address] = (await Promise.all(starts)) as [Address];
    for (const worker of this.workers) this.watch(worker);
    return address;
  }

  /** Lets every worker end its requests and jobs; resolves when the last one is gone. */
  async stop(): Promise<void> {
    this.isStopping = true;
    const { workers } = this;
    const limit = setTimeout(() => this.signal('SIGKILL'), STOP_LIMIT_MS);
    const ends = workers.filter((worker) => !worker.isDead()).map((worker) => once(worker, 'exit'));
    this.signal('SIGTERM');
    await Promise.all(ends);
    clearTimeout(limit);
  }

  private signal(name: NodeJS.Signals): void {
    for (const worker of this.workers) worker.process.kill(name);
  }

  private watch(worker: Worker): void {
    const bornAt = Date.now();
    const handleExit = (code: number | null, signal: string | null) => {
      if (this.isStopping) return;
      this.options.handleDeath(`Worker ${worker.id} ended (${signal ?? code}); another one takes its place`);
      this.deathsInARow = Date.now() - bornAt > STABLE_MS ? 1 : this.deathsInARow + 1;
      this.replace();
    };
    if (worker.isDead()) handleExit(worker.process.exitCode, worker.process.signalCode);
    else worker.once('exit', handleExit);
  }

  private replace(): void {
    const isNobodyLeft = !this.workers.some((worker) => worker.isConnected());
    if (this.deathsInARow >= MAX_DEATHS && isNobodyLeft) {
      this.options.handleCollapse(new Error(`${this.deathsInARow} workers ended one after the other.`));
      return;
    }
    const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.deathsInARow - 1));
    setTimeout(() => {
      if (!this.isStopping) this.watch(cluster.fork());
    }, delayMs);
  }
}
