import type { Type } from '@nestjs/common';
import { loadConfig } from '../src/config/config.js';
import { createAppContext } from '../src/create-app.js';

/** The application's services for one command. */
export interface CliContext {
  /** The provider of a class or token. */
  get<T>(token: Type<T> | symbol): T;
  /** Ends connections; every command calls it when it is done. */
  close(): Promise<void>;
}

/** Starts the application without its web server, over the database that the environment names. */
export async function openContext(): Promise<CliContext> {
  const running = await createAppContext({ ...loadConfig(), log: { level: 'error' } });
  return { get: (token) => running.app.get(token, { strict: false }), close: () => running.close() };
}
