import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { ViteDevServer } from 'vite';
import { PROJECT_ROOT } from '../config/project-root.js';
import type {
  InlineTexts,
  PageAssets,
  PageContext,
  PageMoment,
  PageOutput,
  PageServices,
} from '../shared/contracts/pages.js';

/** A page whose data is loaded; the client's renderer makes it (client/entry-server.tsx). */
export interface LoadedPage {
  readonly status: number;
  /** True when search engines and shared caches should leave the page alone. */
  readonly isHidden: boolean;
  readonly modules: readonly string[];
  /** True for pages that name style sheet and first script as files, also where others hold them. */
  readonly namesFiles: boolean;
  /** Everything the page depends on beside the build and its address: equal text, equal page. */
  readonly dataText: string;
  /** Begins to stream the document; any failure in it destroys the output. Call it once. */
  render(assets: PageAssets, inlineTexts: InlineTexts | null, output: PageOutput): void;
}

/** The client's renderer. Declared here, because the server does not compile the client's sources. */
export interface PageLoader {
  /** @param moment of which head, text and state of the page are made */
  load(url: string, moment: PageMoment, context?: PageContext): Promise<LoadedPage>;
  /** The one spelling of a path under which there may be a page; null where no route has one. */
  spell(this: void, path: string): string | null;
}

interface ServerEntry {
  createRenderer(services: PageServices): PageLoader;
}

/** The client, built or in development. */
export interface ClientBundle {
  /** Changes whenever the built client does, or what renders it; part of every page's ETag. */
  readonly buildId: string;
  /** Null in development, where style sheet and first script are files that the bundler makes. */
  readonly inlineTexts: InlineTexts | null;
  createLoader(services: PageServices): Promise<PageLoader>;
  /** The files a page needs that shows these modules. */
  assetsFor(modules: readonly string[]): PageAssets;
  /** Address of a file of `client/assets`. */
  addressOf(file: string): string;
  /** A file of `client/assets` that has an address of its own besides. */
  readAsset(file: string): Promise<Buffer>;
}

/** The sources of files that are looked for at addresses without a hash. */
const ASSETS = 'client/assets';

/** Dependency-injection token of the {@link ClientBundle}. */
export const CLIENT_BUNDLE = Symbol('ClientBundle');

/** Folder of the browser's files as the build leaves them. */
export const CLIENT_FOLDER = join(PROJECT_ROOT, 'dist/client');

const APP_ENTRY = 'client/entry-client.tsx';
const FIRST_ENTRY = 'client/before-paint.ts';

interface ManifestChunk {
  readonly file: string;
  readonly imports?: readonly string[];
}

type Manifest = Readonly<Record<string, ManifestChunk>>;

/**
 * The client as `npm run build` left it.
 * @throws Error when there is no build
 */
export async function loadBuiltBundle(): Promise<ClientBundle> {
  const manifestText = await readFile(`${CLIENT_FOLDER}/.vite/manifest.json`, 'utf8').catch(() => {
    throw new Error('There is no built client: run npm run build first.');
  });
  const manifest = JSON.parse(manifestText) as Manifest;
  const rendererFile = join(PROJECT_ROOT, 'dist/client-server/entry-server.js');
  const entry = (await import(pathToFileURL(rendererFile).href)) as ServerEntry;
  const addressOf = (name: string) => `/${manifest[name]?.file ?? ''}`;
  const shared = {
    firstScript: addressOf(FIRST_ENTRY),
    scripts: [addressOf(APP_ENTRY)],
    styles: [addressOf('style.css')],
  };
  const readAsset = (name: string) => readFile(join(CLIENT_FOLDER, addressOf(name)), 'utf8');
  const [style, firstScript] = await Promise.all([readAsset('style.css'), readAsset(FIRST_ENTRY)]);
  return {
    inlineTexts: { style, firstScript },
    buildId: toBuildId(manifestText, await readFile(rendererFile)),
    createLoader: async (services) => entry.createRenderer(services),
    assetsFor: (modules) => ({ ...shared, modulePreloads: chunksOf(manifest, modules).map((file) => `/${file}`) }),
    addressOf: (file) => addressOf(`${ASSETS}/${file}`),
    readAsset: (file) => readFile(join(CLIENT_FOLDER, addressOf(`${ASSETS}/${file}`))),
  };
}

/**
 * Names a build by the files of browsers and by the server's renderer, each of which names its parts by their contents. What
 * only the server writes, such as structured data, is in no file of browsers: who has a page would never get another one.
 */
export function toBuildId(manifest: string, renderer: Buffer | string): string {
  return createHash('sha256').update(manifest).update(renderer).digest('hex').slice(0, 12);
}

/** The files of these modules, of the entry and of all they import; the entry itself every page loads anyway. */
function chunksOf(manifest: Manifest, modules: readonly string[]): string[] {
  const names = new Set<string>();
  const visit = (name: string) => {
    if (names.has(name)) return;
    names.add(name);
    manifest[name]?.imports?.forEach(visit);
  };
  [...modules, APP_ENTRY].forEach(visit);
  names.delete(APP_ENTRY);
  return [...names].flatMap((name) => manifest[name]?.file ?? []);
}

/**
 * The client straight from its sources, with hot replacement over the application's own port.
 * The bundler is imported here only, so that production never loads it.
 */
export async function startDevelopmentBundle(fastify: FastifyInstance): Promise<ClientBundle> {
  const { createServer } = await import('vite');
  const vite: ViteDevServer = await createServer({
    configFile: join(PROJECT_ROOT, 'client/vite.config.ts'),
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: fastify.server } },
  });
  fastify.addHook('onClose', () => vite.close());
  fastify.addHook('onRequest', (request, reply, next) => {
    // Only what the bundler owns: pages, the API and media go to the application.
    if (!isBundlerAddress(request.url)) return next();
    reply.hijack();
    vite.middlewares(request.raw, reply.raw, () => reply.raw.writeHead(404).end());
  });
  return {
    buildId: 'development',
    inlineTexts: null,
    createLoader: async (services) => {
      const createLoader = async () =>
        ((await vite.ssrLoadModule('/client/entry-server.tsx')) as ServerEntry).createRenderer(services);
      const { spell } = await createLoader();
      return { spell, load: async (url, moment, context) => (await createLoader()).load(url, moment, context) };
    },
    assetsFor: () => ({
      firstScript: '/client/before-paint.ts',
      scripts: ['/@vite/client', '/client/dev-preamble.js', `/${APP_ENTRY}`],
      styles: ['/client/styles/index.css'],
      modulePreloads: [],
    }),
    addressOf: (file) => `/${ASSETS}/${file}`,
    readAsset: (file) => readFile(join(PROJECT_ROOT, ASSETS, file)),
  };
}

function isBundlerAddress(url: string): boolean {
  return /^\/(?:client\/|src\/shared\/|node_modules\/|@vite|@react-refresh|@fs\/|@id\/)/.test(url);
}
