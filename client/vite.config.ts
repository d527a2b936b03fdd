import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Takes out the style element that sonner puts into the page as soon as it is imported: the content security policy
 * refuses it, with a complaint on the console. client/styles/toasts.css stands in for it.
 */
function withoutToastStyles(): Plugin {
  return {
    name: 'without-toast-styles',
    transform: {
      filter: { id: /[\\/]sonner[\\/]dist[\\/]index\.mjs$/ },
      handler(code) {
        const bare = code.replace(/^__insertCSS\(.*\);?$/m, '');
        if (bare === code) this.error('sonner no longer inserts its styles where this build looks for them.');
        return { code: bare, map: null };
      },
    },
  };
}

/**
 * The router's package hands its development build to everybody who does not name a file: with checks and warnings for
 * programmers, in the browser's bundle as well.
 */
const routerFiles = { 'react-router': 'index.mjs', 'react-router/dom': 'dom-export.mjs' };
const productionRouter = Object.entries(routerFiles).map(([name, file]) => ({
  find: new RegExp(`^${name}$`),
  replacement: fileURLToPath(new URL(`../node_modules/react-router/dist/production/${file}`, import.meta.url)),
}));

/**
 * Functions of the router that this site never comes to, but that the bundler cannot tell from the others: it has no
 * actions and fetchers (its forms speak to the API), knows all its routes, and watches no router at work.
 */
const UNUSED_BY_ROUTER = {
  actions: ['handleAction', 'fetch2', 'handleFetcherAction', 'handleFetcherLoader'],
  unknownRoutes: ['discoverRoutes', 'patchRoutes', 'patchRoutesImpl'],
  instruments: ['instrumentClientSideRouter', 'getRouteInstrumentationUpdates'],
  serverComponents: ['RSCErrorHandler', 'RemixRootDefaultErrorBoundary'],
};

/** Replaces what functions do by an error that says where they went. */
function emptyFunctions(code: string, names: readonly string[]): string {
  return names.reduce((rest, name) => {
    const whole = new RegExp(String.raw`^( *)((?:async )?function ${name}\()[\s\S]*?^\1\}$`, 'm');
    if (!whole.test(rest)) throw new Error(`The router has no function ${name} any more: see client/vite.config.ts.`);
    return rest.replace(whole, `$1$2) { throw new Error("${name} was left out of this build"); }`);
  }, code);
}

/**
 * Takes out of the router what no visitor needs: the names of its components, the words of its assertions, and what
 * this site does not use. Says of its components that making them does nothing else, so that those nobody uses stay out
 * of the bundle: its links, its forms and what hangs on them. This site's are plain ones (client/lib/follow-links.ts).
 */
function leanRouter(): Plugin {
  return {
    name: 'lean-router',
    apply: 'build',
    transform: {
      filter: { id: /[\\/]react-router[\\/]dist[\\/]production[\\/].*\.mjs$/ },
      handler(code) {
        const lean = code
          .replace(/^\w+\.displayName = "\w+";$/gm, '')
          .replace(/= (?=React\d*\.(?:forwardRef|createContext|memo)\()/g, '= /* @__PURE__ */ ')
          .replace(/(^ *invariant\d?\([^"`;]*),\s*(?:"[^"]*"|`[^`]*`)\s*\);$/gm, '$1);');
        const isWhole = !lean.includes('function createRouter(');
        return { code: isWhole ? lean : emptyFunctions(lean, Object.values(UNUSED_BY_ROUTER).flat()), map: null };
      },
    },
  };
}

/**
 * Modules that several public pages use, by the file they are put into: many small files wait for one another on old
 * connections.
 */
const SHARED_BY_PAGES: Readonly<Record<string, readonly string[]>> = {
  parts: [
    ...['badge', 'call-to-action', 'facts-list', 'field', 'icon', 'notice', 'page-header', 'section', 'ticks'],
    ...['legal-page', 'lost-page', 'plans', 'price-scale', 'structured-data', 'log-error', 'log-failure', 'limits'],
    // Modules of the entry, which would otherwise be drawn into the files below that use them.
    ...['button', 'cables', 'focus-page', 'markup', 'page-state', 'paths', 'session-hint', 'site-context', 'toast'],
    ...['use-is-hydrated', 'preload-helper', 'content/contact'],
  ],
  cards: ['card-grid', 'glyph'],
  posts: ['post-article', 'post-cover', 'post-loading'],
  account: [
    ...['account-form', 'account-page', 'describe-auth-error', 'fields', 'link-answer', 'no-script-note', 'session'],
    ...['use-sign-in', 'accounts'],
  ],
};

function groupOf([name, modules]: readonly [string, readonly string[]]) {
  return {
    name,
    test: new RegExp(
      String.raw`(?:^|[\\/])(?:client|src[\\/]shared|\0vite)[\\/](?:.*[\\/])?(?:${modules.join('|')})\.[jt]sx?$`,
    ),
  };
}

/** Two builds: for the browser (dist/client) and, with --ssr, for the server's renderer (dist/client-server). */
export default defineConfig(({ command, isSsrBuild }) => ({
  root,
  publicDir: false,
  plugins: [react(), withoutToastStyles(), leanRouter()],
  // Bundled beforehand it would not pass the plugin.
  optimizeDeps: { exclude: ['sonner'] },
  resolve: { alias: command === 'build' ? productionRouter : [] },
  // All in one file: outside of it the router and React would be looked up, and chosen, anew by Node.
  ssr: { noExternal: command === 'build' ? true : undefined },
  define: command === 'build' ? { 'process.env.NODE_ENV': '"production"' } : {},
  build: {
    outDir: isSsrBuild ? 'dist/client-server' : 'dist/client',
    emptyOutDir: true,
    // The policy allows fonts and images from this site only, so nothing may become a data: address.
    assetsInlineLimit: 0,
    manifest: !isSsrBuild,
    // One small style sheet for the public pages: a page never waits for a second one after a navigation.
    cssCodeSplit: false,
    modulePreload: {
      polyfill: false,
      // Files that every page has loaded need not be named again for each page it may lead to.
      resolveDependencies: (_file, files) => files.filter((file) => !/\/(?:react|parts|rolldown-runtime)-/.test(file)),
    },
    target: 'es2022',
    rollupOptions: isSsrBuild
      ? { input: 'client/entry-server.tsx' }
      : {
          input: { app: 'client/entry-client.tsx', first: 'client/before-paint.ts' },
          treeshake: { propertyReadSideEffects: false },
          output: {
            codeSplitting: {
              groups: [
                // Changes with the packages only, so browsers keep it from one release to the next.
                {
                  name: 'react',
                  test: /[\\/]node_modules[\\/](?:react|react-dom|react-router|react-router-dom|scheduler)[\\/]/,
                },
                ...Object.entries(SHARED_BY_PAGES).map(groupOf),
              ],
            },
          },
        },
  },
}));
