import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { PROJECT_ROOT } from '../config/project-root.js';
import { IMAGE_MS } from '../config/time-limits.js';
import { Gate } from '../shared/gate.js';
import type { ImageJob, ImageResults } from './image-jobs.js';
import { ImageRejectedError, type ImageRejection } from './image-rejected.error.js';

/** One alone keeps two processors busy, and takes the memory there is for images. */
const AT_ONCE = 1;
/** Images that wait for their turn, each held in memory. */
const MAX_WAITING = 16;

const PROGRAM = join(PROJECT_ROOT, 'dist/src/uploads/image-child.js');
/** All of its environment: no secrets, and settings of the allocator as in cli/tools/start.sh. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '32768', UV_THREADPOOL_SIZE: '2' };
/** Characters of its standard error that are logged. */
const MAX_LOGGED = 2000;

/** The one message of a child. */
export type ChildAnswer =
  | { readonly kind: 'done'; readonly result: ImageResults[ImageJob['kind']] }
  | { readonly kind: 'rejected'; readonly code: ImageRejection; readonly message: string }
  | { readonly kind: 'overflow' }
  | { readonly kind: 'failed'; readonly reason: string };

/** How long a job may take. */
export interface WorkLimits {
  /** Milliseconds for decoding and encoding, from its turn on; IMAGE_MS by default. */
  readonly workMs?: number | undefined;
  /** Ends the waiting and the work; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** Has images decoded and encoded, each in a process of its own that is killed when it takes too long. */
@Injectable()
export class ImageWorkshop {
  private readonly gate = new Gate(AT_ONCE, MAX_WAITING);
  /** Starts while another one works, and waits for its image: starting takes an eighth of the time of a photo, on one processor. */
  private spare: ChildProcess | null = null;
  /** Jobs that are worked on or wait. */
  private jobs = 0;
  private readonly logger = new Logger(ImageWorkshop.name);

  /**
   * Waits for its turn and does the work.
   * @throws ImageRejectedError, also for an image that takes too much time or memory, or ends the process
   * @throws GateFullError when too many images wait already
   */
  async run<J extends ImageJob>(
    job: J,
    { workMs = IMAGE_MS, signal }: WorkLimits = {},
  ): Promise<ImageResults[J['kind']]> {
    const answer = await this.takeTurn(() => this.ask(job, workMs, signal), signal);
    switch (answer.kind) {
      case 'done':
        return answer.result as ImageResults[J['kind']];
      case 'rejected':
        throw new ImageRejectedError(answer.code, answer.message);
      case 'overflow':
        throw new ImageRejectedError('image_too_heavy', 'The image takes too much memory to decode: make it smaller');
      case 'failed':
        throw new Error(`An image could not be worked on: ${answer.reason}`);
    }
  }

  private async takeTurn<T>(task: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    this.jobs += 1;
    try {
      this.prepareSpare();
      return await this.gate.run(task, signal);
    } finally {
      this.jobs -= 1;
      if (this.jobs === 0) this.dismissSpare();
    }
  }

  /** Resolves when the process is gone, so that no two of them work at once. */
  private async ask(job: ImageJob, workMs: number, signal: AbortSignal | undefined): Promise<ChildAnswer> {
    signal?.throwIfAborted();
    const child = this.takeSpare() ?? startChild();
    const kill = () => child.kill('SIGKILL');
    const heard: { answer?: ChildAnswer; isLate?: true } = {};
    const limit = setTimeout(() => {
      heard.isLate = true;
      kill();
    }, workMs);
    signal?.addEventListener('abort', kill);
    let written = '';
    child.once('message', (message) => (heard.answer = message as ChildAnswer));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (written = (written + text).slice(-MAX_LOGGED)));
    try {
      const ended = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
      // One that is gone already says so by its end, and so does one that never began: it has no channel.
      if (child.connected) child.send(job, () => undefined);
      this.prepareSpare();
      const [[code, killer]] = (await ended) as [[number | null, NodeJS.Signals | null], unknown[]];
      if (heard.answer !== undefined) return heard.answer;
      signal?.throwIfAborted();
      if (heard.isLate) return LATE;
      this.logger.warn({ code, signal: killer, stderr: written }, 'The process that decodes images broke off');
      return BROKEN;
    } finally {
      clearTimeout(limit);
      signal?.removeEventListener('abort', kill);
    }
  }

  /** For whoever is next, while somebody is. Where it cannot be started, theirs is started at their turn. */
  private prepareSpare(): void {
    if (this.jobs <= 1) return;
    try {
      this.spare ??= startChild();
    } catch (error) {
      this.logger.warn({ err: error }, 'No process could be started ahead for the next image');
    }
  }

  /** Null where there is none, or it has ended. */
  private takeSpare(): ChildProcess | null {
    const { spare } = this;
    this.spare = null;
    return spare?.connected === true && spare.exitCode === null && spare.signalCode === null ? spare : null;
  }

  private dismissSpare(): void {
    this.spare?.kill('SIGKILL');
    this.spare = null;
  }
}

function startChild(): ChildProcess {
  const child = fork(PROGRAM, {
    env: ENVIRONMENT,
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  // What it fails of is told by its end.
  child.on('error', () => undefined);
  return child;
}

const LATE: ChildAnswer = {
  kind: 'rejected',
  code: 'image_too_slow',
  message: 'The image takes too long to decode: make it smaller, or save it anew without progressive loading',
};
const BROKEN: ChildAnswer = {
  kind: 'rejected',
  code: 'image_undecodable',
  message: 'The image could not be decoded: send it again, or save it anew with another program',
};
