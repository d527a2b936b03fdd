import { readdirSync, readFileSync } from 'node:fs';

/** The resources of several processes together. */
export interface Usage {
  readonly descriptors: number;
  /** Resident memory. */
  readonly megabytes: number;
}

/** Reads what living processes hold at this moment. */
export function readUsage(pids: readonly number[]): Usage {
  const pages = pids.map((pid) => Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]));
  return {
    descriptors: pids.reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/fd`).length, 0),
    megabytes: Math.round((pages.reduce((sum, count) => sum + count, 0) * 4096) / 2 ** 20),
  };
}
