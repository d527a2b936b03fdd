import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { APP_GUARD, ModulesContainer, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AccessGuard } from '../../src/http/access.guard.js';
import { IS_PUBLIC, Public } from '../../src/http/public.decorator.js';
import { onCleanup } from '../support/cleanup.js';
import { createTestApp } from '../support/create-test-app.js';

interface Route {
  readonly name: string;
  readonly isPublic: boolean;
}

type Handler = (...args: unknown[]) => unknown;

/** Every route of every controller that the application has registered. */
function routesOf(modules: ModulesContainer): Route[] {
  const controllers = [...modules.values()].flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype }) => {
    if (!metatype) return [];
    const prototype = metatype.prototype as Record<string, Handler>;
    return Object.getOwnPropertyNames(prototype).flatMap((name) => {
      const handler = prototype[name];
      const paths = handler && (Reflect.getMetadata(PATH_METADATA, handler) as string | string[] | undefined);
      if (name === 'constructor' || handler === undefined || paths === undefined) return [];
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
      const base = Reflect.getMetadata(PATH_METADATA, metatype) as string;
      const isPublic = [handler, metatype].some((target) => Reflect.getMetadata(IS_PUBLIC, target) === true);
      return [paths].flat().map((path) => ({ name: `${method} ${joinPaths(base, path)}`, isPublic }));
    });
  });
}

const joinPaths = (...parts: string[]) =>
  `/${parts
    .flatMap((part) => part.split('/'))
    .filter(Boolean)
    .join('/')}`;

describe('access', () => {
  it('is open to everyone on these routes and no other', async () => {
    const { get } = await createTestApp();
    const routes = routesOf(get(ModulesContainer));
    expect(
      routes
        .filter((route) => route.isPublic)
        .map((route) => route.name)
        .sort(),
    ).toEqual([
      'ALL /api/*',
      'GET /*',
      'GET /api/health',
      'GET /api/posts',
      'GET /api/posts/:slug',
      'GET /dev/mail',
      'GET /dev/mail/:id',
      'GET /dev/mail/:id/html',
      'GET /media/:name',
      'GET /robots.txt',
      'GET /rss.xml',
      'GET /sitemap.xml',
    ]);
  });

  it('is refused to a route that does not say who may use it', async () => {
    @Controller()
    class ForgetfulController {
      @Get('forgotten')
      readForgotten() {
        return { isOpen: true };
      }

      @Public()
      @Get('open')
      readOpen() {
        return { isOpen: true };
      }
    }
    @Module({ controllers: [ForgetfulController], providers: [{ provide: APP_GUARD, useClass: AccessGuard }] })
    class ForgetfulModule {}

    const app = await NestFactory.create<NestFastifyApplication>(ForgetfulModule, new FastifyAdapter(), {
      logger: false,
    });
    onCleanup(() => app.close());
    await app.init();
    expect((await app.inject('/open')).statusCode).toBe(200);
    expect((await app.inject('/forgotten')).statusCode).toBe(403);
  });
});
