import pg from 'pg';
import { createMember, type Member } from './admin-area.js';
import { onCleanup } from './cleanup.js';
import { createTestApp } from './create-test-app.js';
import type { Variables } from './environment.js';
import { findFreePort } from './free-port.js';
import { startServer } from './process.js';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.js';

/** The publication of a post and the last decision about it, of one moment. */
export interface PublicState {
  readonly isPublished: boolean;
  /** Action in the activity log; null when there was no decision yet. */
  readonly decision: string | null;
  /** Title and slug as they were saved last. */
  readonly title: string;
  readonly slug: string;
}

/** A line of the activity log about a publication. */
export interface LoggedDecision {
  /** Email address; null for the schedule. */
  readonly actor: string | null;
  readonly action: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const DECISIONS = `action in ('post.published', 'post.unpublished')`;

/** A server that is killed and started again, its database, and a way to it on which connections hang. */
export class WritingSite {
  #server: Awaited<ReturnType<typeof startServer>> | null = null;

  private constructor(
    readonly proxy: TcpProxy,
    private readonly environment: Variables,
    readonly members: readonly Member[],
    private readonly database: pg.Pool,
  ) {}

  /** @param names of the administrators who work here */
  static async start(names: readonly string[]): Promise<WritingSite> {
    const app = await createTestApp({ AUTH_BASE_PATH: '/auth/v1', AUTH_RATE_LIMIT_TOKEN: '0' });
    const members: Member[] = [];
    for (const name of names) members.push(await createMember(app, `${name}@example.com`));
    await app.close();
    const port = await findFreePort();
    const database = new pg.Pool({ connectionString: app.environment.DATABASE_URL ?? '', max: 2 });
    onCleanup(() => database.end());
    const proxy = await openTcpProxy({ host: '127.0.0.1', port });
    const site = new WritingSite(proxy, { ...app.environment, PORT: String(port) }, members, database);
    await site.startAgain();
    return site;
  }

  /** Address for browsers: the way on which connections hang. */
  get url(): string {
    return `http://127.0.0.1:${this.proxy.port}`;
  }

  /** Address of the server itself. */
  get directUrl(): string {
    return `http://127.0.0.1:${this.environment.PORT}`;
  }

  async kill(): Promise<void> {
    await this.#server?.stop('SIGKILL');
    this.#server = null;
  }

  async startAgain(): Promise<void> {
    this.#server ??= await startServer(this.environment);
  }

  async publicState(postId: string): Promise<PublicState> {
    const [row] = await this.#query<{ is_published: boolean; decision: string | null; title: string; slug: string }>(
      `select is_published, title, slug, (select action from audit_log
         where subject_id = $1 and ${DECISIONS} order by id desc limit 1) as decision
       from blog_posts where id = $1::uuid`,
      [postId],
    );
    const { is_published: isPublished = false, decision = null, title = '', slug = '' } = row ?? {};
    return { isPublished, decision, title, slug };
  }

  /** All decisions about the publication of a post, in their order. */
  async decisions(postId: string): Promise<LoggedDecision[]> {
    const rows = await this.#query<{ actor: string | null; action: string; at: Date }>(
      `select actor_email as actor, action, at from audit_log where subject_id = $1 and ${DECISIONS} order by id`,
      [postId],
    );
    return rows.map(({ at, ...line }) => ({ ...line, at: at.getTime() }));
  }

  /** Every text of a post that the server has: saved, kept, and earlier versions. */
  async texts(postId: string): Promise<string> {
    const rows = await this.#query<{ text: string }>(
      `select row_to_json(p)::text as text from
         (select title, excerpt, content, working_copy from blog_posts where id = $1::uuid) p
       union all select fields::text from post_revisions where post_id = $1::uuid`,
      [postId],
    );
    return rows.map(({ text }) => text).join('\n');
  }

  async #query<T extends pg.QueryResultRow>(sql: string, values: readonly string[]): Promise<T[]> {
    return (await this.database.query<T>(sql, [...values])).rows;
  }
}
