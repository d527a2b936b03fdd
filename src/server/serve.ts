import type { INestApplicationContext } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { Draining } from '../http/draining.js';
import { createApp, type Running } from './create-app.js';
import { endOnSignal } from './end-on-signal.js';
import { offerMetrics } from './offer-metrics.js';
import { Steps } from './steps.js';

/** A server that answers at `url`. */
export interface Serving extends Running<INestApplicationContext> {
  readonly url: string;
}

/** Constructs the application and listens where the configuration says. */
export async function serve(config: Config, steps = new Steps()): Promise<Serving> {
  const running = await createApp(config, steps);
  let closeMetrics = async () => {};
  try {
    closeMetrics = await offerMetrics(config, running.app);
    await running.app.listen(config.server.port, config.server.host);
  } catch (error) {
    await closeMetrics();
    await running.close();
    throw isPortTaken(error) ? new Error(`Port ${config.server.port} is taken: set PORT to another one.`) : error;
  }
  const close: Serving['close'] = async (leftMs) => {
    await running.close(leftMs);
    // Until then it can be watched how it ends.
    await closeMetrics();
  };
  return { ...running, close, url: await running.app.getUrl() };
}

function isPortTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
}

/**
 * Serves until the first SIGINT, SIGTERM or SIGHUP. One that comes during the start is obeyed when the start is over,
 * and nobody is waited for then, as nobody was let in.
 */
export function serveUntilSignal(config: Config): Promise<Serving> {
  const steps = new Steps();
  const starting = serve(config, steps);
  let draining: Draining | undefined;
  starting.then(
    ({ app }) => (draining = app.get(Draining, { strict: false })),
    () => undefined,
  );
  endOnSignal({
    announce: () => draining?.begin(),
    delayMs: config.server.shutdownDelayMs,
    close: async (left) => {
      await steps.run('the start', left(), () => starting);
      await (await starting).close(left());
    },
    abandon: async () => (await starting).abandon(),
    steps,
  });
  return starting;
}
