import type { Config } from '../config/config.js';

/** Writes a warning like those of the application's log, for processes and moments that have no application. */
export function logWarning({ log }: Pick<Config, 'log'>, context: string, msg: string): void {
  if (['fatal', 'error', 'silent'].includes(log.level)) return;
  const line = { level: 40, time: Date.now(), pid: process.pid, context, msg };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
