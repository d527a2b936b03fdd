import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { SHUTDOWN_MS } from '../config/time-limits.js';
import { canListen, isListening, whileListening } from './folder-sockets.js';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.js';
import { isDead, OWN_TEXT, withLockFile } from './start-lock.js';

const DATABASE = 'site';
const START_TIMEOUT_MS = 60_000;
const SUPERVISION_INTERVAL_MS = 500;
/** Between a server that gave up and the next one; doubles, as what keeps it from starting may last, up to the other. */
const FIRST_PAUSE_MS = 20;
const LAST_PAUSE_MS = 5_000;
/** Between two questions whether a server takes connections, at first and at last. */
const ASKING_MS = 20;
const LAST_ASKING_MS = 1_000;
/** SQLSTATE of a server that starts, recovers or ends. */
const CANNOT_CONNECT_NOW = '57P03';
/** Several test files at once share a server, each with a few applications and their pools. */
const TEST_CONNECTIONS = 200;

/** A PostgreSQL that runs beside this process. */
export interface EmbeddedPostgres {
  /** Address of the product's database in it. */
  readonly url: string;
  /**
   * Lets go of the server; the last process to do so shuts it down.
   * @param limitMs when it is killed at the latest, if it does not end; it recovers at the next start
   */
  stop(limitMs?: number): Promise<void>;
}

/**
 * How PostgreSQL is ended, and how long before the limit the next way is tried: its fast shutdown, which ends its
 * connections; its immediate one, after which the next start recovers from the log; and no more questions.
 */
const ENDINGS: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 1_000],
  ['SIGQUIT', 500],
  ['SIGKILL', 100],
];

interface Options {
  /** Absolute path of the folder that holds the cluster, its password and its log. */
  readonly folder: string;
  /** False trades safety against a power cut for speed: for tests only. */
  readonly isDurable?: boolean;
}

/** The file that says how to reach a cluster. The password is nowhere else. */
const ACCESS_FILE = 'access.json';
const accessRule = z.object({ port: z.int().min(0).max(65_535), password: z.string().min(1) });
type Access = z.infer<typeof accessRule>;

/** Names of the socket at which a server listens in the folder of its cluster, besides its port, and of its lock. */
const SOCKET = /^\.s\.PGSQL\.\d+$/;
const SOCKET_OR_LOCK = /^\.s\.PGSQL\.\d+(?:\.lock)?$/;

/**
 * How often this process has joined, by data folder. The file in the folder says only that it has: a command that runs
 * inside of the server, as its examination of itself does, must not take the server's database along when it is done.
 */
const holds = new Map<string, number>();

/**
 * Starts the PostgreSQL of a data folder, or joins the one that another process (or one killed before its time)
 * left running there. While the process lives, a server that dies is started again on the same port.
 */
export async function startEmbeddedPostgres({ folder, isDurable = true }: Options): Promise<EmbeddedPostgres> {
  // Whoever comes by another way, such as a symbolic link, comes to the same server.
  await mkdir(folder, { recursive: true });
  const cluster = new Cluster(await realpath(folder), isDurable, await findPostgresBinaries());
  await cluster.join();
  const supervision = setInterval(() => void cluster.restartIfDead(), SUPERVISION_INTERVAL_MS);
  supervision.unref();
  let leaving: Promise<void> | undefined;
  return {
    url: cluster.url(DATABASE),
    // Asked twice, it lets go once: the second hold is somebody else's.
    stop: (limitMs = SHUTDOWN_MS) => {
      clearInterval(supervision);
      return (leaving ??= cluster.leave(performance.now() + limitMs));
    },
  };
}

/** One data folder and the server over it, shared by every process that has joined. */
class Cluster {
  private access: Access = { port: 0, password: '' };
  private isBusy = false;

  constructor(
    private readonly folder: string,
    private readonly isDurable: boolean,
    private readonly binaries: PostgresBinaries,
  ) {}

  private get dataFolder() {
    return join(this.folder, 'cluster');
  }

  private get membersFolder() {
    return join(this.folder, 'members');
  }

  private get ownMembership() {
    return join(this.membersFolder, String(process.pid));
  }

  url(database: string): string {
    return `postgresql://postgres:${this.access.password}@127.0.0.1:${this.access.port}/${database}`;
  }

  async join(): Promise<void> {
    await mkdir(this.membersFolder, { recursive: true });
    await this.exclusively(async () => {
      await writeFile(this.ownMembership, OWN_TEXT);
      try {
        await this.ensureCluster();
        await this.ensureRunning();
        await this.ensureDatabase();
        holds.set(this.folder, (holds.get(this.folder) ?? 0) + 1);
      } catch (error) {
        if (!holds.get(this.folder)) await rm(this.ownMembership, { force: true });
        throw error;
      }
    });
  }

  /** @param endAt when a server that does not end is gone nevertheless, by the clock of `performance.now()` */
  async leave(endAt: number): Promise<void> {
    this.isBusy = true;
    await this.exclusively(async () => {
      const left = (holds.get(this.folder) ?? 1) - 1;
      holds.set(this.folder, left);
      if (left > 0) return;
      await rm(this.ownMembership, { force: true });
      if ((await this.countOtherMembers()) > 0) return;
      const pid = await this.findServer();
      if (pid === undefined) return;
      for (const [signal, beforeEndMs] of ENDINGS) {
        if (!(await this.isOurServer(pid))) return;
        process.kill(pid, signal);
        while (performance.now() < endAt - beforeEndMs && (await this.isOurServer(pid))) await delay(10);
      }
    });
  }

  /** Called over and over while this process is a member. */
  async restartIfDead(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      if ((await this.findServer()) === undefined) await this.exclusively(() => this.ensureRunning());
    } catch (error) {
      process.stderr.write(`The embedded PostgreSQL could not be started again: ${String(error)}\n`);
    } finally {
      this.isBusy = false;
    }
  }

  /** The lock file keeps version 0.1.0 away, too; the socket those for whom its process id is somebody else's. */
  private exclusively<T>(task: () => Promise<T>): Promise<T> {
    return withLockFile(join(this.folder, 'start.lock'), () => whileListening(this.folder, 'start.socket', task));
  }

  /** Members that are alive. The id of one that was killed may be that of another program, which never leaves. */
  private async countOtherMembers(): Promise<number> {
    let count = 0;
    for (const name of (await readdir(this.membersFolder)).filter((one) => one !== String(process.pid))) {
      const file = join(this.membersFolder, name);
      // Version 0.1.0 left it empty.
      const text = (await readFile(file, 'utf8').catch(() => '')) || name;
      if (isDead(text)) await rm(file, { force: true });
      else count += 1;
    }
    return count;
  }

  /** Made under another name and renamed, so that a cluster half made is never taken for a whole one. */
  private async ensureCluster(): Promise<void> {
    if (await isThere(join(this.dataFolder, 'PG_VERSION'))) {
      this.access = await this.readAccess();
      return;
    }
    this.access = { port: 0, password: randomBytes(24).toString('base64url') };
    const draft = `${this.dataFolder}.new`;
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { mode: 0o700 });
    await this.binaries.handOver(draft);
    await this.initialize(draft);
    await this.writeAccess();
    await rename(draft, this.dataFolder);
  }

  /** @throws Error where the file is damaged or gone: another one would not open the cluster that is there. */
  private async readAccess(): Promise<Access> {
    const file = join(this.folder, ACCESS_FILE);
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    try {
      return accessRule.parse(JSON.parse(text));
    } catch {
      throw new Error(
        `${file} is damaged or gone, and the database in ${this.dataFolder} cannot be opened without its password. Bring ` +
          `the file back from a copy, or move ${this.folder} away and restore a backup.`,
      );
    }
  }

  /** In one go, and onto the disk: half a file, as on a full disk or after a power cut, would lock everybody out. */
  private async writeAccess(): Promise<void> {
    const file = join(this.folder, ACCESS_FILE);
    const draft = `${file}.new`;
    const handle = await open(draft, 'w', 0o600);
    try {
      await handle.writeFile(JSON.stringify(this.access));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  }

  private async initialize(target: string): Promise<void> {
    const secrets = await mkdtemp(join(tmpdir(), 'pg-init-'));
    const passwordFile = join(secrets, 'password');
    try {
      await writeFile(passwordFile, this.access.password, { mode: 0o600 });
      await this.binaries.handOver(secrets);
      await this.binaries.handOver(passwordFile);
      const args = ['-D', target, '-U', 'postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
      args.push('--encoding=UTF8', '--locale=C.UTF-8', ...(this.isDurable ? [] : ['--no-sync']));
      const child = this.binaries.run('initdb', args, { stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const [code] = (await once(child, 'close')) as [number | null];
      if (code !== 0) throw new Error(`PostgreSQL's initdb failed:\n${output}`);
    } finally {
      await rm(secrets, { recursive: true, force: true });
    }
  }

  private async ensureRunning(): Promise<void> {
    let deadline = performance.now() + START_TIMEOUT_MS;
    let pauseMs = FIRST_PAUSE_MS;
    let askingMs = ASKING_MS;
    let child: ChildProcess | undefined;
    for (let state = await this.ask(); state !== 'ready'; state = await this.ask()) {
      if (state === 'recovering') {
        // After a power cut it reads its log again, as long as that takes: whoever gave up would begin that anew. And it
        // notes everybody whom it refuses meanwhile.
        deadline = performance.now() + START_TIMEOUT_MS;
        askingMs = Math.min(askingMs * 1.5, LAST_ASKING_MS);
      }
      if (performance.now() > deadline) {
        throw new Error(`PostgreSQL did not start; its log is ${join(this.folder, 'postgres.log')}`);
      }
      // One that we started may not have left a trace yet: only its end is a reason to start another, as when a
      // server just killed keeps its memory for an instant and the next one gives up.
      const isStarting = child ? child.exitCode === null && child.signalCode === null : false;
      if (!isStarting && (await this.findServer()) === undefined) {
        // Each writes why it gave up into its log, on the disk that may be what is full.
        if (child) {
          await delay(pauseMs);
          pauseMs = Math.min(pauseMs * 2, LAST_PAUSE_MS);
        }
        child = await this.spawnServer();
      }
      await delay(askingMs);
    }
  }

  private async spawnServer(): Promise<ChildProcess> {
    await this.removeLeftovers();
    await this.choosePort();
    const args = ['-D', this.dataFolder, '-p', String(this.access.port)];
    const sockets = (await canListen(this.dataFolder)) ? '.' : '';
    const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${sockets}`];
    settings.push(`max_connections=${this.isDurable ? 100 : TEST_CONNECTIONS}`);
    // Its log is for operators alone, and says nothing of people: statements have the values that they failed with.
    settings.push('log_error_verbosity=terse', 'log_min_error_statement=panic');
    if (!this.isDurable) settings.push('fsync=off', 'full_page_writes=off', 'synchronous_commit=off');
    args.push(...settings.flatMap((setting) => ['-c', setting]));
    const log = await this.openLog();
    try {
      // A session of its own: Ctrl+C in a terminal must reach the application first, which then stops the server.
      const child = this.binaries.run('postgres', args, { stdio: ['ignore', log.fd, log.fd], detached: true });
      child.unref();
      await once(child, 'spawn');
      return child;
    } finally {
      await log.close();
    }
  }

  /** One of version 0.1.0 has such values, and everybody could read it. */
  private async openLog(): Promise<FileHandle> {
    const log = await open(join(this.folder, 'postgres.log'), 'a', 0o600);
    // A file system without rights of files has none to take away.
    await log.chmod(0o600).catch(() => undefined);
    return log;
  }

  /**
   * Removes what a server left that was killed: its process id may by now be that of an innocent program. One that is
   * alive where this process does not see it, as in another container, is known by its socket: two would write over each
   * other's files, and PostgreSQL itself does not notice across containers.
   */
  private async removeLeftovers(): Promise<void> {
    const names = (await readdir(this.dataFolder)).filter((name) => SOCKET_OR_LOCK.test(name));
    for (const name of names.filter((one) => SOCKET.test(one))) {
      if (!(await isListening(this.dataFolder, name))) continue;
      throw new Error(
        `A PostgreSQL that this process cannot see, as of another container, runs over ${this.dataFolder}. ` +
          'Run commands where it runs, or end it first.',
      );
    }
    for (const name of ['postmaster.pid', ...names]) await rm(join(this.dataFolder, name), { force: true });
  }

  private async choosePort(): Promise<void> {
    if (this.access.port > 0 && ((await isPortFree(this.access.port)) || (await this.isPortKnown()))) return;
    this.access.port = await findFreePort();
    await this.writeAccess();
  }

  /** True while somebody has the address, who hears of no other one: the server then waits until its port is free again. */
  private async isPortKnown(): Promise<boolean> {
    return (holds.get(this.folder) ?? 0) > 0 || (await this.countOtherMembers()) > 0;
  }

  /** Asks the server over this folder how it is. */
  private async ask(): Promise<'ready' | 'recovering' | 'away'> {
    if (this.access.port === 0 || (await this.findServer()) === undefined) return 'away';
    const client = new pg.Client({ connectionString: this.url('postgres'), connectionTimeoutMillis: 2000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return 'ready';
    } catch (error) {
      const { code, message = '' } = error as Partial<pg.DatabaseError>;
      return code === CANNOT_CONNECT_NOW && !message.includes('shutting down') ? 'recovering' : 'away';
    } finally {
      await client.end().catch(() => {});
    }
  }

  private async ensureDatabase(): Promise<void> {
    const client = new pg.Client({ connectionString: this.url('postgres') });
    // What is asked for on it next fails.
    client.on('error', () => undefined);
    await client.connect();
    try {
      const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
      if (rowCount === 0) await client.query(`create database ${DATABASE}`);
    } finally {
      await client.end();
    }
  }

  /** The process id of the server over this folder, if there is one. */
  private async findServer(): Promise<number | undefined> {
    const pidFile = await readFile(join(this.dataFolder, 'postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number(pidFile.split('\n')[0]);
    return pid > 0 && (await this.isOurServer(pid)) ? pid : undefined;
  }

  /** A process id alone proves nothing after a crash: it must be a server, and this folder the one that it works in. */
  private async isOurServer(pid: number): Promise<boolean> {
    try {
      const [program = '', ...args] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
      if (basename(program) !== 'postgres') return false;
      // Its folder may have been named by another way to it; root of a container may not see where others work.
      const named = args[args.indexOf('-D') + 1] ?? '';
      const its = await stat(`/proc/${pid}/cwd`).catch(() => stat(named));
      const ours = await stat(this.dataFolder);
      return its.dev === ours.dev && its.ino === ours.ino;
    } catch {
      return false;
    }
  }
}

/** Another reason why a file cannot be looked at does not mean that there is none. */
async function isThere(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function isPortFree(port: number): Promise<boolean> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
