import type { INestApplicationContext } from '@nestjs/common';
import { closeOnSignal } from './close-on-signal.js';
import type { Config } from '../config/config.js';
import { createApp, type Running } from './create-app.js';

/** A server that answers at `url`. */
export interface Serving extends Running<INestApplicationContext> {
  readonly url: string;
}

/** Constructs the application and listens where the configuration says. */
export async function serve(config: Config): Promise<Serving> {
  const running = await createApp(config);
  try {
    await running.app.listen(config.server.port, config.server.host);
  } catch (error) {
    await running.close();
    throw isPortTaken(error) ? new Error(`Port ${config.server.port} is taken: set PORT to another one.`) : error;
  }
  return { ...running, url: await running.app.getUrl() };
}

function isPortTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
}

/** Serves until the first SIGINT or SIGTERM. One that comes during the start is obeyed when the start is over. */
export function serveUntilSignal(config: Config): Promise<Serving> {
  const starting = serve(config);
  closeOnSignal({
    close: async () => (await starting).close(),
    abandon: async () => (await starting).abandon(),
  });
  return starting;
}
