// Puts server and command line with the packages they import into few files: loading some 3,000 modules one by one
// costs a command 1.5 s of CPU, and a server's start as much.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** Packages that stay outside: those with native parts, with files beside themselves, or with threads. */
const leftAlone = /^(?:sharp|@node-rs\/argon2|pino|pino-http|thread-stream|swagger-ui-dist|vite|typescript)(?:\/|$)/;

/** Packages that others import if they are there. */
const absent = [
  /^@nestjs\/(?:microservices|websockets|platform-express)(?:\/|$)/,
  /^@fastify\/view$/,
  /^@mikro-orm\/(?:seeder|entity-generator)$/,
  /^pg-native$/,
];

/**
 * A source with a character beyond ASCII is widened to two bytes for each of its characters when it is read, and with
 * one beyond Latin-1 it stays so as long as the process lives. Escaped, the few there are change nothing.
 */
function withNarrowCharacters() {
  return {
    name: 'narrow-characters',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk') chunk.code = chunk.code.replace(/[^\0-\x7f]/g, escapeUnit);
      }
    },
  };
}

const escapeUnit = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

export default defineConfig({
  plugins: [withNarrowCharacters()],
  root: fileURLToPath(new URL('../..', import.meta.url)),
  publicDir: false,
  ssr: { noExternal: true },
  build: {
    ssr: true,
    outDir: 'dist',
    emptyOutDir: false,
    target: 'node22',
    sourcemap: false,
    rollupOptions: {
      input: { server: 'dist/src/main.js', cli: 'dist/cli/main.js' },
      external: [leftAlone, ...absent],
      // Nest's plugin imports it into every contract, where nothing of it is used.
      treeshake: { moduleSideEffects: [{ test: /[\\/]@nestjs[\\/]swagger[\\/]/, sideEffects: false }] },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        // Injection and logs name classes.
        keepNames: true,
        // Sources are kept in memory as long as the process lives; the names of functions stay for stack traces.
        minify: true,
      },
    },
  },
});
