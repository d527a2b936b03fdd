import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DRAIN_MS, RELEASE_MS } from '../config/time-limits.js';
import type { Steps } from './steps.js';

/** In the order in which they are called. The last ones begin when every request is answered. */
const DRAINING = ['onModuleDestroy', 'beforeApplicationShutdown'] as const;
const RELEASING = 'onApplicationShutdown';

type Hooks = Partial<Record<(typeof DRAINING)[number] | typeof RELEASING, (signal?: string) => unknown>>;

/**
 * Gives the hooks with which parts of the application end a common limit, and their names to `steps`: one that hangs,
 * as the pool of a database that is silent does, keeps no other from being called.
 * @returns to be called when the ending begins
 */
export function limitHooks(app: INestApplicationContext, steps: Steps): () => void {
  let drainBy = Infinity;
  let releaseBy: number | undefined;
  const left = {
    draining: () => drainBy - performance.now(),
    releasing: () => (releaseBy ??= performance.now() + RELEASE_MS) - performance.now(),
  };
  for (const instance of instancesIn(app)) {
    for (const name of DRAINING) limit(instance, name, steps, left.draining);
    limit(instance, RELEASING, steps, left.releasing);
  }
  return () => (drainBy = performance.now() + DRAIN_MS);
}

function limit(instance: Hooks, name: keyof Hooks, steps: Steps, left: () => number): void {
  const hook = instance[name];
  if (typeof hook !== 'function') return;
  const title = `${instance.constructor.name} (${name})`;
  instance[name] = (signal) => steps.run(title, Math.max(0, left()), () => hook.call(instance, signal));
}

/** Everything that may have hooks, each once: an instance may be known under several tokens. */
function instancesIn(app: INestApplicationContext): Set<Hooks> {
  const modules = [...app.get(ModulesContainer).values()];
  const wrappers = modules.flatMap((module) => [
    ...module.providers.values(),
    ...module.controllers.values(),
    ...module.injectables.values(),
  ]);
  const instances = wrappers.map(({ instance }) => instance);
  return new Set(instances.filter((instance): instance is Hooks => typeof instance === 'object' && instance !== null));
}
