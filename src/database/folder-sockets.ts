import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const PAUSE_MS = 25;

/**
 * Runs a task while listening at a socket in a folder, and waits for whoever listens there. Unlike the id of a process, a
 * socket means the same in every container of a machine. Where a folder cannot have sockets, the task runs without.
 * @param folder exists
 * @param name of the socket in it; one that was left by a process that was killed is taken over
 */
export async function whileListening<T>(folder: string, name: string, task: () => Promise<T>): Promise<T> {
  const handle = await open(folder);
  let server: Server | null | undefined;
  try {
    while ((server = await tryListen(handle, name)) === undefined) {
      if (await isAnswering(handle, name)) await delay(PAUSE_MS);
      else await rm(join(folder, name), { force: true });
    }
    return await task();
  } finally {
    // Closing removes the socket, by a path that leads through the handle.
    if (server) await once(server.close(), 'close');
    await handle.close();
  }
}

/** Returns false for file systems without sockets, such as folders that some virtual machines share: PostgreSQL would not start. */
export async function canListen(folder: string): Promise<boolean> {
  const handle = await open(folder);
  try {
    const server = await tryListen(handle, `.try-${randomUUID()}`);
    if (server) await once(server.close(), 'close');
    return Boolean(server);
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

/** The address of a socket, however long the name of its folder is: the system allows 107 bytes. */
const pathOf = (folder: FileHandle, name: string) => `/proc/self/fd/${folder.fd}/${name}`;

/** @returns undefined if there is such a socket already, null if the folder cannot have one */
async function tryListen(folder: FileHandle, name: string): Promise<Server | null | undefined> {
  const server = createServer((connection) => connection.destroy()).unref();
  try {
    // Not by the primary process of a cluster, whose handles are others.
    server.listen({ path: pathOf(folder, name), exclusive: true });
    await once(server, 'listening');
    return server;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? undefined : null;
  }
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
