import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 25;

/**
 * Runs a task while nobody else runs one under this name in a folder. Who does, or waits for it, listens at a socket there:
 * unlike the id of a process, that means the same in every container of a machine. Where a folder cannot have sockets, the
 * task runs without.
 * @param folder exists
 * @param name begins the names of the sockets; those of processes that were killed are removed
 */
export async function whileListening<T>(folder: string, name: string, task: () => Promise<T>): Promise<T> {
  const handle = await open(folder);
  let server: Server | null = null;
  try {
    server = await waitForTurn(handle, folder, name);
    return await task();
  } finally {
    if (server) await close(server);
    await handle.close();
  }
}

/** Returns false for file systems without sockets, such as folders that some virtual machines share: PostgreSQL would not start. */
export async function canListen(folder: string): Promise<boolean> {
  const handle = await open(folder);
  try {
    const server = await tryListen(handle, `.try-${randomUUID()}`);
    if (server) await close(server);
    return server !== null;
  } finally {
    await handle.close();
  }
}

/** Tells whether somebody listens at a socket in a folder. */
export async function isListening(folder: string, name: string): Promise<boolean> {
  const handle = await open(folder);
  try {
    return await isAnswering(handle, name);
  } finally {
    await handle.close();
  }
}

/**
 * Listens under a name that nobody had before, and only then looks who else does: of two, at least one sees the other. Only
 * who is alone begins; the earliest stays until that is so, and all others come back.
 * @returns null if the folder cannot have sockets
 */
async function waitForTurn(handle: FileHandle, folder: string, name: string): Promise<Server | null> {
  for (;;) {
    const own = `${name}.${String(Date.now()).padStart(15, '0')}-${randomUUID()}`;
    const server = await tryListen(handle, own);
    if (server === null) return null;
    try {
      for (;;) {
        const others = await findOthers(handle, folder, name, own);
        if (others.length === 0) return server;
        if (others.some((other) => other < own)) break;
        await delay(PAUSE_MS);
      }
    } catch (error) {
      await close(server);
      throw error;
    }
    await close(server);
    await delay(PAUSE_MS);
  }
}

/** The sockets at which others listen. Those at which nobody does are removed: their names are never used again. */
async function findOthers(handle: FileHandle, folder: string, name: string, own: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((entry) => entry.startsWith(`${name}.`) && entry !== own);
  const found: string[] = [];
  for (const other of names) {
    if (await isAnsweringSoon(handle, other)) found.push(other);
    else await rm(join(folder, other), { force: true });
  }
  return found;
}

/** Asks twice: between its making and its listening, a socket answers nobody. */
async function isAnsweringSoon(folder: FileHandle, name: string): Promise<boolean> {
  if (await isAnswering(folder, name)) return true;
  await delay(PAUSE_MS);
  return await isAnswering(folder, name);
}

/** The address of a socket, however long the name of its folder is: the system allows 107 bytes. */
const pathOf = (folder: FileHandle, name: string) => `/proc/self/fd/${folder.fd}/${name}`;

/** @returns null if the folder cannot have sockets */
async function tryListen(folder: FileHandle, name: string): Promise<Server | null> {
  const server = createServer((connection) => connection.destroy()).unref();
  try {
    // Not by the primary process of a cluster, whose handles are others.
    server.listen({ path: pathOf(folder, name), exclusive: true });
    await once(server, 'listening');
    return server;
  } catch {
    return null;
  }
}

/** Removes the socket as well, by a path that leads through the handle of its folder. */
async function close(server: Server): Promise<void> {
  await once(server.close(), 'close');
}

async function isAnswering(folder: FileHandle, name: string): Promise<boolean> {
  const socket = connect(pathOf(folder, name));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
