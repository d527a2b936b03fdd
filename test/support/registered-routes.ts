import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { METHOD_METADATA, MODULE_PATH, PATH_METADATA } from '@nestjs/common/constants.js';
import type { ModulesContainer } from '@nestjs/core';
import { RequestMethod } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { ACCESS, type Access } from '../../src/http/public.decorator.js';

type Handler = (...args: unknown[]) => unknown;

/** A handler of a controller. */
export interface HandlerRoute {
  /** Method and path as the decorators say them, such as `GET /api/posts/:slug`. */
  readonly name: string;
  /** The access that the route or its controller declares; undefined when neither does. */
  readonly access: Access | undefined;
}

/** Every route of every controller that the application has. */
export function handlerRoutesOf(modules: ModulesContainer): HandlerRoute[] {
  const controllers = [...modules.values()].flatMap((module) => {
    // Where the router module put all of a module's controllers.
    const prefix = Reflect.getMetadata(MODULE_PATH + modules.applicationId, module.metatype) as string | undefined;
    return [...module.controllers.values()].map(({ metatype }) => ({ metatype, prefix: prefix ?? '' }));
  });
  return controllers.flatMap(({ metatype, prefix }) => {
    if (!metatype) return [];
    const prototype = metatype.prototype as Record<string, Handler>;
    return Object.getOwnPropertyNames(prototype).flatMap((name) => {
      const handler = prototype[name];
      if (name === 'constructor' || handler === undefined) return [];
      const paths = Reflect.getMetadata(PATH_METADATA, handler) as string | string[] | undefined;
      if (paths === undefined) return [];
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
      const bases = Reflect.getMetadata(PATH_METADATA, metatype) as string | string[];
      const access = [handler, metatype].flatMap((target) => {
        const declared = Reflect.getMetadata(ACCESS, target) as Access | undefined;
        return declared === undefined ? [] : [declared];
      })[0];
      return [bases]
        .flat()
        .flatMap((base) =>
          [paths].flat().map((path) => ({ name: `${method} ${joinPaths(prefix, base, path)}`, access })),
        );
    });
  });
}

const joinPaths = (...parts: string[]) =>
  `/${parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/')}`;

/**
 * Everything the web server itself is told to answer while `construct` runs, whoever tells it: controllers, plugins,
 * documentation. As method and path, without the HEAD that comes with every GET.
 */
export async function serverRoutesDuring(construct: () => Promise<unknown>): Promise<string[]> {
  const routes = new Set<string>();
  const handleServer = (message: unknown) => {
    const { fastify } = message as { readonly fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const name of [method].flat()) if (name !== 'HEAD') routes.add(`${name} ${url}`);
    });
  };
  subscribe('fastify.initialization', handleServer);
  try {
    await construct();
  } finally {
    unsubscribe('fastify.initialization', handleServer);
  }
  return [...routes].sort();
}
