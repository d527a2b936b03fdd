import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DIRECT_URL } from './open-database.js';
import { DatabaseClient } from './pool/database-client.js';

/** The channel on which processes tell each other that published content changed. */
export const CONTENT_CHANNEL = 'content_changed';
/** The message on it when readers are no longer to see something; that of other changes is empty. */
export const TAKEN_BACK = 'taken back';
/** Name of the connection. Every server that runs has one, and no command. */
export const CONTENT_LISTENER = 'content-listener';

const RECONNECT_DELAY_MS = 500;
/** A connection that died without a word (a firewall, a machine gone) is found out by asking. */
const HEARTBEAT_MS = 1500;
const ANSWER_LIMIT_MS = 5000;

/**
 * Hears, on a connection of its own, that published content changed anywhere. While the connection is down changes go
 * unheard, and `heardAt` stays where it is; when it is back, listeners are told once, to be on the safe side.
 */
@Injectable()
export class ContentListener implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ContentListener.name);
  private readonly listeners = new Set<(isTakenBack: boolean) => void>();
  private readonly hearers = new Map<string, (message: string) => void>();
  private readonly announcements: ((client: DatabaseClient) => Promise<void>)[] = [];
  private client: DatabaseClient | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;
  private lastHeardAt = -Infinity;

  constructor(@Inject(DIRECT_URL) private readonly url: string) {}

  /**
   * Until when every change was heard, by `performance.now()`, which nobody sets back; it moves on every few seconds.
   * -Infinity before the first time.
   */
  get heardAt(): number {
    return this.lastHeardAt;
  }

  /** Calls `listener` after every change, from any process; with true if something was taken back. */
  onChange(listener: (isTakenBack: boolean) => void): void {
    this.listeners.add(listener);
  }

  /** Calls `hear` with every message on another channel. What is said while the connection is down goes unheard. */
  onMessage(channel: string, hear: (message: string) => void): void {
    this.hearers.set(channel, hear);
  }

  /** Runs a task on the connection whenever there is a new one, for what is to be seen of a server while it runs. */
  onConnect(announce: (client: DatabaseClient) => Promise<void>): void {
    this.announcements.push(announce);
  }

  /** Tells the listeners of this process. */
  tell(isTakenBack = false): void {
    for (const listener of this.listeners) listener(isTakenBack);
  }

  async onApplicationBootstrap(): Promise<void> {
    // Nobody to tell in the command line.
    if (this.listeners.size > 0) await this.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.client?.close();
  }

  private async connect(): Promise<void> {
    const client = new DatabaseClient({
      connectionString: this.url,
      query_timeout: ANSWER_LIMIT_MS,
      application_name: CONTENT_LISTENER,
    });
    client.on('error', () => this.handleLoss(client));
    client.on('end', () => this.handleLoss(client));
    client.on('notification', ({ channel, payload = '' }) => this.hear(channel, payload));
    let askedAt: number;
    try {
      await client.connect();
      // A name in the address wins over ours when it is opened, and nobody would take this for a server that runs.
      await client.query(`set application_name to '${CONTENT_LISTENER}'`);
      askedAt = performance.now();
      for (const channel of [CONTENT_CHANNEL, ...this.hearers.keys()]) await client.query(`listen ${channel}`);
    } catch {
      void client.close().catch(() => {});
      this.schedule(() => this.connect(), RECONNECT_DELAY_MS);
      return;
    }
    if (this.isStopped) {
      // The end came while it was opened, and knew of no connection to close.
      await client.close().catch(() => {});
      return;
    }
    this.client = client;
    this.lastHeardAt = askedAt;
    this.tell();
    await this.announceOn(client);
    // Lost meanwhile: the next one is under way, and this timer would take the place of its own.
    if (this.client !== client) return;
    this.schedule(() => this.checkConnection(client), HEARTBEAT_MS);
  }

  private hear(channel: string, message: string): void {
    if (channel === CONTENT_CHANNEL) this.tell(message === TAKEN_BACK);
    else this.hearers.get(channel)?.(message);
  }

  private async announceOn(client: DatabaseClient): Promise<void> {
    for (const announce of this.announcements) {
      try {
        await announce(client);
      } catch (error) {
        this.logger.warn({ err: error }, 'Could not announce what this server has');
      }
    }
  }

  private async checkConnection(client: DatabaseClient): Promise<void> {
    const askedAt = performance.now();
    try {
      // Notifications of before arrive before the answer.
      await client.query('select 1');
      if (this.client !== client) return;
      this.lastHeardAt = askedAt;
      this.schedule(() => this.checkConnection(client), HEARTBEAT_MS);
    } catch {
      this.handleLoss(client);
    }
  }

  private handleLoss(client: DatabaseClient): void {
    if (this.client !== client || this.isStopped) return;
    this.client = undefined;
    this.logger.warn('Lost the connection that hears of changes; trying again');
    void client.close().catch(() => {});
    this.schedule(() => this.connect(), RECONNECT_DELAY_MS);
  }

  private schedule(task: () => Promise<void>, delayMs: number): void {
    if (this.isStopped) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void task(), delayMs);
    this.timer.unref();
  }
}
