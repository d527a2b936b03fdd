import type { INestApplicationContext } from '@nestjs/common';
import { ConfigError, loadConfig, type Config } from './config/config.js';
import { createApp } from './create-app.js';

/** A server that answers at `url`. */
export interface Serving {
  readonly app: INestApplicationContext;
  readonly url: string;
  close(): Promise<void>;
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
  return { app: running.app, url: await running.app.getUrl(), close: () => running.close() };
}

function isPortTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
}

/** Serves until the first SIGINT or SIGTERM. One that comes during the start is obeyed when the start is over. */
export function serveUntilSignal(config: Config): Promise<Serving> {
  const starting = serve(config);
  closeOnSignal(async () => (await starting).close());
  return starting;
}

function closeOnSignal(close: () => Promise<void>): void {
  let isClosing = false;
  const handleSignal = () => {
    if (isClosing) return;
    isClosing = true;
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`Could not stop cleanly: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', handleSignal);
  process.on('SIGTERM', handleSignal);
}

/** The server process: from the environment to the last request. */
export async function serveUntilStopped(): Promise<void> {
  try {
    const config = loadConfig();
    const serving = await serveUntilSignal(config);
    process.stdout.write(`Listening at ${serving.url} for ${config.server.publicUrl}\n`);
  } catch (error) {
    const message = error instanceof ConfigError ? error.message : `The server cannot start: ${describe(error)}`;
    process.stderr.write(`${message}\n`);
    process.exit(1);
  }
}

function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join('; ');
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
