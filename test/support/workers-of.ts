import { readFileSync } from 'node:fs';

/** The processes that answer for a server with WEB_CONCURRENCY, which are its children. */
export function workersOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}
