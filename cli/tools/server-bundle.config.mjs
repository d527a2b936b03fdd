// Puts server and command line with the packages they import into few files: loading some 3,000 modules one by one
// costs a command 1.5 s of CPU, and a server's start as much.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** What has native parts, finds files of its own beside itself, or starts threads. */
const leftAlone = /^(?:sharp|@node-rs\/argon2|pino|pino-http|thread-stream|swagger-ui-dist|vite|typescript)(?:\/|$)/;

/** What packages try to import and do without. */
const absent = [
  /^@nestjs\/(?:microservices|websockets|platform-express)(?:\/|$)/,
  /^@fastify\/view$/,
  /^@mikro-orm\/(?:seeder|entity-generator)$/,
  /^pg-native$/,
];

/**
 * A source with a character beyond Latin-1 takes two bytes of memory for each of its characters, as long as the process
 * lives. Escaped, the few there are change nothing.
 */
function withNarrowCharacters() {
  return {
    name: 'narrow-characters',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk') chunk.code = chunk.code.replace(/[^\0-\xff]/g, escapeUnit);
      }
    },
  };
}

const escapeUnit = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * An import of these built-in modules reads all they export, and one of that is a whole HTTP client of 60 ms of CPU
 * that nobody here uses. Asking for the module itself reads nothing.
 */
const LAZY_BUILTINS = /^(?:node:)?https?$/;

function withLazyBuiltins() {
  return {
    name: 'lazy-builtins',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const imports = this.parse(chunk.code).body.filter(
          ({ type, source }) => type === 'ImportDeclaration' && LAZY_BUILTINS.test(source.value),
        );
        for (const node of imports.reverse()) {
          chunk.code = chunk.code.slice(0, node.start) + declarationOf(node) + chunk.code.slice(node.end);
        }
      }
    },
  };
}

function declarationOf({ source, specifiers }) {
  const named = specifiers.filter(({ type }) => type === 'ImportSpecifier');
  const targets = specifiers.filter((specifier) => !named.includes(specifier)).map(({ local }) => local.name);
  if (named.length > 0) targets.push(`{${named.map(({ imported, local }) => `${imported.name}:${local.name}`)}}`);
  const value = `process.getBuiltinModule(${JSON.stringify(source.value)})`;
  return targets.map((target) => `const ${target}=${value};`).join('');
}

/** The server lists no folders to serve files, for which alone its package wants this one. */
function withoutGlob() {
  return {
    name: 'without-glob',
    enforce: 'pre',
    resolveId: (source) => (source === 'glob' ? '\0no-glob' : null),
    load: (id) => (id === '\0no-glob' ? 'export const glob = undefined;' : null),
  };
}

/** Nothing here answers with a Response of fetch; to ask for that class loads the same HTTP client. */
function withoutFetchAnswers() {
  const question = 'obj instanceof Response';
  return {
    name: 'without-fetch-answers',
    transform(code, id) {
      if (!id.endsWith('@fastify/compress/lib/utils.js')) return null;
      if (!code.includes(question)) this.error('The package asks in another way now');
      return { code: code.replace(question, `obj?.[Symbol.toStringTag] === 'Response'`), map: null };
    },
  };
}

export default defineConfig({
  plugins: [withoutGlob(), withoutFetchAnswers(), withLazyBuiltins(), withNarrowCharacters()],
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
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        // Injection and logs name classes.
        keepNames: true,
        // Names stay for stack traces; comments and blanks are a third of what would be kept in memory.
        minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      },
    },
  },
});
