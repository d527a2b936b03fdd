import type { Server } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { explainListening } from '../config/listening-problem.js';
import { Draining } from '../http/draining.js';
import { createApp, type Running } from './create-app.js';
import { endOnSignal } from './end-on-signal.js';
import { prepareSetup } from './announce-setup.js';
import { offerMetrics } from './offer-metrics.js';
import { Steps } from './steps.js';

/** A server that answers at `url`, or one that was told to end before it answered anybody, and has none. */
export interface Serving extends Running<INestApplicationContext> {
  readonly url: string | undefined;
}

/**
 * Constructs the application and listens where the configuration says.
 * @param isEnding asked when all is ready: who is to end lets nobody in
 */
async function serve(config: Config, steps: Steps, isEnding: () => boolean): Promise<Serving> {
  const running = await createApp(config, steps);
  let closeMetrics = async () => {};
  try {
    const announceSetup = await prepareSetup(config, running.app);
    closeMetrics = await offerMetrics(config, running.app);
    if (!isEnding()) {
      await running.app.listen(config.server.port, config.server.host);
      announceSetup();
    }
  } catch (error) {
    await closeMetrics();
    await running.close();
    throw explainListening(error, config.server);
  }
  const close: Serving['close'] = async (leftMs) => {
    await running.close(leftMs);
    // Until then it can be watched how it ends.
    await closeMetrics();
  };
  const { listening }: Server = running.app.getHttpServer();
  return { ...running, close, url: listening ? await running.app.getUrl() : undefined };
}

/**
 * Serves until the first SIGINT, SIGTERM or SIGHUP. One that comes during the start is obeyed when the start is over,
 * and nobody is let in then.
 */
export function serveUntilSignal(config: Config): Promise<Serving> {
  const steps = new Steps();
  let isEnding = false;
  const starting = serve(config, steps, () => isEnding);
  let draining: Draining | undefined;
  starting.then(
    ({ app }) => (draining = app.get(Draining, { strict: false })),
    () => undefined,
  );
  endOnSignal({
    announce: () => {
      isEnding = true;
      draining?.begin();
    },
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
