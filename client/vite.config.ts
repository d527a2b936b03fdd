import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The production files of the router, as published: its package gives the development build to everybody who does not
 * name a file.
 */
const routerFiles = { 'react-router': 'index.mjs', 'react-router/dom': 'dom-export.mjs' };
const productionRouter = Object.entries(routerFiles).map(([name, file]) => ({
  find: new RegExp(`^${name}$`),
  replacement: fileURLToPath(new URL(`../node_modules/react-router/dist/production/${file}`, import.meta.url)),
}));

/** Two builds: for the browser (dist/client) and, with --ssr, for the server's renderer (dist/client-server). */
export default defineConfig(({ command, isSsrBuild }) => ({
  root,
  publicDir: false,
  plugins: [react()],
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
    // Beside the server's renderer, for who wants to know where its time goes (test/bench/pages-profile.mjs).
    sourcemap: isSsrBuild ? 'hidden' : false,
    // One small style sheet for the public pages: a page never waits for a second one after a navigation.
    cssCodeSplit: false,
    modulePreload: {
      polyfill: false,
      // Files that every page has loaded need not be named again for each page it may lead to.
      resolveDependencies: (_file, files) => files.filter((file) => !/\/(?:react|rolldown-runtime)-/.test(file)),
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
                // What many pages share, in one file: many small ones wait for one another on old connections.
                // More pages than the admin area has screens, whose modules are nothing for readers.
                { name: 'shared', test: /[\\/](?:client|src[\\/]shared)[\\/]/, minShareCount: 18 },
              ],
            },
          },
        },
  },
}));
