import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { CONTENT_CHANNEL } from './content-notifier.js';

const RECONNECT_DELAY_MS = 500;
/** A connection that died without a word (a firewall, a machine gone) is found out by asking. */
const HEARTBEAT_MS = 5000;

/**
 * Hears, on a connection of its own, that published content changed anywhere. While the connection is down
 * `isConnected` is false and changes go unheard; when it is back, listeners are told once, to be on the safe side.
 */
@Injectable()
export class ContentListener implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ContentListener.name);
  private readonly listeners = new Set<() => void>();
  private client: pg.Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(private readonly em: EntityManager) {}

  /** Whether changes are being heard right now. */
  get isConnected(): boolean {
    return this.client !== undefined;
  }

  /** Calls `listener` after every change, from any process. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  async onApplicationBootstrap(): Promise<void> {
    // Nobody to tell in the command line.
    if (this.listeners.size > 0) await this.connect();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.client?.end();
  }

  private async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.em.config.get('clientUrl'),
      connectionTimeoutMillis: HEARTBEAT_MS,
      query_timeout: HEARTBEAT_MS,
      application_name: 'content-listener',
    });
    client.on('error', () => this.handleLoss(client));
    client.on('end', () => this.handleLoss(client));
    client.on('notification', () => this.tell());
    try {
      await client.connect();
      await client.query(`listen ${CONTENT_CHANNEL}`);
    } catch {
      void client.end().catch(() => {});
      this.schedule(() => this.connect(), RECONNECT_DELAY_MS);
      return;
    }
    this.client = client;
    this.tell();
    this.schedule(() => this.checkConnection(client), HEARTBEAT_MS);
  }

  private async checkConnection(client: pg.Client): Promise<void> {
    try {
      await client.query('select 1');
      if (this.client === client) this.schedule(() => this.checkConnection(client), HEARTBEAT_MS);
    } catch {
      this.handleLoss(client);
    }
  }

  private handleLoss(client: pg.Client): void {
    if (this.client !== client || this.isStopped) return;
    this.client = undefined;
    this.logger.warn('Lost the connection that hears of changes; trying again');
    void client.end().catch(() => {});
    this.schedule(() => this.connect(), RECONNECT_DELAY_MS);
  }

  private schedule(task: () => Promise<void>, delayMs: number): void {
    if (this.isStopped) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void task(), delayMs);
    this.timer.unref();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
