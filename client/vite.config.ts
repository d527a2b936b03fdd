import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Two builds: for the browser (dist/client) and, with --ssr, for the server's renderer (dist/client-server). */
export default defineConfig(({ isSsrBuild }) => ({
  root,
  publicDir: false,
  plugins: [react()],
  build: {
    outDir: isSsrBuild ? 'dist/client-server' : 'dist/client',
    emptyOutDir: true,
    // The policy allows fonts and images from this site only, so nothing may become a data: address.
    assetsInlineLimit: 0,
    manifest: !isSsrBuild,
    // One small style sheet for the public pages: a page never waits for a second one after a navigation.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    target: 'es2022',
    rollupOptions: isSsrBuild
      ? { input: 'client/entry-server.tsx' }
      : { input: { app: 'client/entry-client.tsx', theme: 'client/theme-init.ts' } },
  },
}));
