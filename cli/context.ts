import type { Type } from '@nestjs/common';
import { loadConfig } from '../src/config/config.js';
import { createAppContext } from '../src/server/create-app.js';

/** The application's services for one command. */
export interface CliContext {
  /** The provider of a class or token. */
  get<T>(token: Type<T> | symbol): T;
}

/** Gives a command the application's services, for as long as it runs. */
export type WithContext = <T>(task: (context: CliContext) => Promise<T>) => Promise<T>;

/** Starts the application without its web server, over the database that the environment names. */
export const withContext: WithContext = async (task) => {
  const running = await createAppContext({ ...loadConfig(), log: { level: 'error' } });
  try {
    return await task({ get: (token) => running.app.get(token, { strict: false }) });
  } finally {
    await running.close();
  }
};
