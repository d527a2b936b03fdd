import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The processes that answer for a server with WEB_CONCURRENCY, which are its children. */
export function workersOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

/** How many connections to this port of 127.0.0.1 a process has taken. */
export function connectionsOf(pid: number, port: number): number {
  return socketsOf(pid, port, '01');
}

/** True while a process holds this port of 127.0.0.1, whether it takes connections or not; false when it has ended. */
export function isHolding(pid: number, port: number): boolean {
  return socketsOf(pid, port, '0A') > 0;
}

/** @param state of the sockets, as /proc/net/tcp has it */
function socketsOf(pid: number, port: number, state: string): number {
  const rows = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const own = rows.filter(([, address, , is]) => address?.endsWith(local) && is === state);
  const sockets = new Set(own.map((row) => `socket:[${row[9]}]`));
  return filesOf(pid).filter((fd) => sockets.has(linkOf(`/proc/${pid}/fd/${fd}`))).length;
}

/** The open files of a process; none of one that has ended. */
function filesOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    return [];
  }
}

/** It may be closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
