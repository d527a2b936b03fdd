import cluster, { type Address, type Worker } from 'node:cluster';
import { once } from 'node:events';
import { letGoOfPort } from './shared-port.js';

/** A worker that lived for so long did not die of its start. */
const STABLE_MS = 10_000;
/** Between a death and the next start; doubles with every death in a row, up to `MAX_DELAY_MS`. */
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;
/** With nobody left to serve, so many deaths in a row, besides one of each worker, are no accident. */
const MAX_DEATHS = 4;

interface Options {
  readonly count: number;
  /** Told of every death and every worker that takes a place, in a sentence. */
  readonly report: (sentence: string) => void;
  /** Called once, when workers do not stay alive. */
  readonly handleCollapse: (error: Error) => void;
}

/** Processes that run this same program and share its port. One that dies is replaced. */
export class WorkerGroup {
  /** Those that have not ended, and how each of them ends. */
  private readonly workers = new Map<Worker, Promise<string>>();
  private readonly serving = new Set<Worker>();
  private isStopping = false;
  private deathsInARow = 0;

  constructor(private readonly options: Options) {}

  /**
   * Resolves with the address when every worker listens.
   * @throws Error if one of them ends instead; it has said why
   */
  async start(): Promise<Address> {
    // Each takes connections from the system by itself. Were they handed out by this process, as Node does otherwise,
    // one on its way to a worker that dies would stay open and never be answered.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    const starts = Array.from({ length: this.options.count }, async () => {
      const { worker, ended } = this.launch();
      const failed = ended.then((reason) => {
        // Whoever stopped it does not wait for its start.
        if (this.isStopping) return new Promise<never>(() => undefined);
        throw new Error(`A worker ended while it started (${reason}).`);
      });
      const [address] = (await Promise.race([once(worker, 'listening'), failed])) as [Address];
      failed.catch(() => undefined);
      // From now on, also while others still start.
      void this.replaceAfter(ended, worker);
      return address;
    });
    const [address] = (await Promise.all(starts)) as [Address];
    return address;
  }

  /** Returns true once no worker is started any more. */
  isEnding(): boolean {
    return this.isStopping;
  }

  /** Starts no worker any more. */
  announceEnd(): void {
    this.isStopping = true;
  }

  /**
   * Lets every worker end its requests and jobs, and close the port; resolves when the last one is gone.
   * @param limitMs when those that are left are killed
   */
  async stop(limitMs: number): Promise<void> {
    this.isStopping = true;
    const limit = setTimeout(() => {
      const left = [...this.workers.keys()].map(({ id }) => id);
      this.options.report(`Workers that did not end were killed: ${left.join(', ')}`);
      this.signal('SIGKILL');
    }, limitMs);
    this.signal('SIGTERM');
    // They know by now that they are to end: whoever was let go outlives this process.
    this.serving.forEach(letGoOfPort);
    await Promise.all(this.workers.values());
    clearTimeout(limit);
  }

  /** Ends every worker at once, whatever it does. */
  kill(): void {
    this.isStopping = true;
    this.signal('SIGKILL');
  }

  private signal(name: NodeJS.Signals): void {
    for (const worker of this.workers.keys()) worker.process.kill(name);
  }

  /** `ended` resolves with the reason: a signal, an exit code, or why the process could not be started. */
  private launch(): { worker: Worker; ended: Promise<string> } {
    const worker = cluster.fork();
    worker.once('listening', () => {
      this.serving.add(worker);
      if (this.isStopping) letGoOfPort(worker);
    });
    const ended = new Promise<string>((resolve) => {
      worker.once('exit', (code: number | null, signal: string | null) => resolve(signal ?? `exit code ${code}`));
      // One that could not even be made does not exit.
      worker.on('error', (error: Error) => void (worker.process.pid === undefined && resolve(error.message)));
    });
    this.workers.set(worker, ended);
    void ended.then(() => this.workers.delete(worker));
    return { worker, ended };
  }

  private async replaceAfter(ended: Promise<string>, worker: Worker): Promise<void> {
    const bornAt = Date.now();
    const reason = await ended;
    this.serving.delete(worker);
    if (this.isStopping) return;
    this.deathsInARow = Date.now() - bornAt > STABLE_MS ? 1 : this.deathsInARow + 1;
    if (this.serving.size === 0 && this.deathsInARow >= this.options.count + MAX_DEATHS) {
      this.isStopping = true;
      const sentence = `${this.deathsInARow} workers ended one after the other, the last with ${reason}.`;
      this.options.handleCollapse(new Error(sentence));
      return;
    }
    const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (this.deathsInARow - 1));
    this.options.report(`Worker ${worker.id} ended with ${reason}; another one starts in ${delayMs / 1000} s`);
    setTimeout(() => {
      if (this.isStopping) return;
      const next = this.launch();
      next.worker.once('listening', () => this.options.report(`Worker ${next.worker.id} serves in its place`));
      void this.replaceAfter(next.ended, next.worker);
    }, delayMs);
  }
}
