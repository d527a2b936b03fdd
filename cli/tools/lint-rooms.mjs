// The directions of imports between rooms, as lint rules. test/integration/lint-rules.test.ts proves each of them.
import { existsSync, readdirSync } from 'node:fs';

const tests = ['**/*.spec.ts', '**/*.spec.tsx', 'test/**'];
/** Rooms of the server that are no features. */
const serverRooms = ['config', 'database', 'http', 'metrics', 'pages', 'server', 'shared'];
/** The features from the ground up: each may use those before it. A room that is not named here comes last. */
const features = [
  ...[
    'site',
    'marks',
    'mail',
    'audit',
    'roles',
    'auth',
    'webhooks',
    'settings',
    'redirects',
    'uploads',
    'posts',
    'share-images',
    'reads',
  ],
  ...['import', 'export', 'links'],
  ...['contact', 'privacy', 'account', 'people', 'setup', 'backup', 'doctor', 'overview'],
];
/** Foreign keys of entities that lead back up. */
const keysUp = {
  roles: ['src/auth/accounts/user.entity.ts'],
  uploads: ['src/posts/post.entity.ts'],
};
/** The files of audit that read the log: they ask whether somebody may, and roles write to the log. */
const auditReaders = ['src/audit/audit-log.module.ts', 'src/audit/audit-log.service.ts'];
const clientGround = ['client/components', 'client/content', 'client/lib', 'client/styles', 'src/shared'];

/** Files of posts that import and export use beside its services: its columns, its rules and the sanitizer. */
const workingsOfPosts = [
  'src/posts/content',
  'src/posts/post-columns.ts',
  'src/posts/post-preparation.ts',
  'src/posts/post-texts.ts',
  'src/posts/post.errors.ts',
];
const openings = {
  // Of which posts images are drawn, and what they show.
  'share-images': ['src/posts/share-image.ts'],
  import: [
    ...workingsOfPosts,
    // An import writes in groups, with the one writer.
    'src/posts/post-change.ts',
    'src/posts/post-revision.entity.ts',
    'src/posts/post-slug.entity.ts',
    'src/posts/post-writer.ts',
    'src/posts/post.entity.ts',
    // Whose pictures are whose.
    'src/posts/post.presenter.ts',
  ],
  export: [
    ...workingsOfPosts,
    'src/posts/post.entity.ts',
    'src/posts/post-slug.entity.ts',
    // Whose pictures are whose.
    'src/posts/post.presenter.ts',
    // An export reads back what it writes.
    'src/import/exported',
    'src/import/markdown',
    'src/import/import.errors.ts',
  ],
  links: [
    // What an address in a stored text is.
    'src/posts/content',
    'src/posts/post-input.pipe.ts',
    // Whose pictures are whose.
    'src/posts/post.presenter.ts',
    // Other sites are asked by the rules of imports.
    'src/import/images',
    'src/import/map-concurrently.ts',
  ],
};

/**
 * One configuration block per room: its files may import nothing of the repository but what is listed.
 * @param {string} root absolute path of the repository
 */
export function importDirections(root) {
  const rooms = inOrder(foldersIn(`${root}/src`).filter((name) => !serverRooms.includes(name)));
  // A feature shows other rooms its module and the services that it exports.
  const doorsOf = (names) => filesOf(root, names, /\.(?:service|module)\.ts$/);
  const entitiesOf = (names) => filesOf(root, names, /\.entity\.ts$/);
  const below = (name) => rooms.slice(0, rooms.indexOf(name));
  const doors = doorsOf(rooms);
  const ground = ['src/shared', 'src/config', 'src/database', 'src/metrics', 'src/http'];
  const bootstrap = filesIn(`${root}/src`).map((file) => `src/${file}`);

  return [
    room('src/shared', ['src/shared'], 'src/shared is for server and browser: it imports nothing of other rooms.'),
    room('src/config', ['src/config', 'src/shared'], 'src/config imports src/shared only.'),
    room(
      'src/database',
      ['src/database', 'src/shared', 'src/config', 'migrations'],
      'src/database imports src/shared and src/config; the modules of the rooms register their entities.',
    ),
    room(
      'src/metrics',
      ['src/metrics', 'src/shared', 'src/config', 'src/database'],
      'src/metrics counts: it knows neither features nor HTTP.',
    ),
    room('src/http', ground, 'src/http knows no feature.'),
    ...rooms.flatMap((name) => [
      room(
        `src/${name}`,
        [`src/${name}`, ...ground, ...doorsOf(below(name)), ...(openings[name] ?? [])],
        'A feature imports shared, config, database, http, and the features below it through their service or module.',
      ),
      // A foreign key is the database's business: it crosses rooms.
      ...entitiesOf([name]).map((path) =>
        room(
          path,
          [`src/${name}`, 'src/shared', ...entitiesOf(below(name)), ...(keysUp[name] ?? [])],
          'An entity imports its own room, shared, and entities of rooms below that its rows refer to.',
        ),
      ),
    ]),
    ...auditReaders.map((path) =>
      room(
        path,
        ['src/audit', ...ground, ...doorsOf(rooms.filter((name) => name === 'roles'))],
        'Reading the audit log asks roles, and nobody else.',
      ),
    ),
    room(
      'src/pages',
      ['src/pages', 'client', ...ground, ...doors],
      'src/pages reaches a feature through its service or its module.',
    ),
    ...bootstrap.map((path) =>
      room(
        path,
        [...bootstrap, 'src/server', 'src/pages', ...ground, ...doors],
        'The bootstrap reaches a feature through its service or its module.',
      ),
    ),
    room(
      'src/server',
      ['src/server', 'src/app.module.ts', 'src/pages', ...ground, ...doors],
      'src/server starts and ends the application: it reaches a feature through its service or its module.',
    ),
    room(
      'cli',
      ['cli', ...bootstrap.filter((path) => path !== 'src/main.ts'), 'src/server', ...ground, ...doors],
      'The command line is thin: it calls services, through the application context.',
    ),
    room('migrations', ['migrations'], 'Migrations are immutable: they import nothing that may change.'),
    room('client', ['client', 'src/shared'], 'The client imports itself and src/shared only.'),
    room(
      'client/components',
      ['client/components', 'client/lib', 'client/styles', 'src/shared'],
      'Components know nothing of the product: no feature, no page, no content.',
    ),
    ...foldersIn(`${root}/client/features`).map((name) =>
      room(
        `client/features/${name}`,
        [`client/features/${name}`, ...clientGround],
        'Features of the client import neither each other nor pages.',
      ),
    ),
  ];
}

/** Puts rooms into the order of the features; those that it does not name come last, by name. */
function inOrder(rooms) {
  return [
    ...features.filter((name) => rooms.includes(name)),
    ...rooms.filter((name) => !features.includes(name)).sort(),
  ];
}

/** The paths of the files of these rooms, and of their subfolders, whose names match. */
function filesOf(root, rooms, pattern) {
  return rooms.flatMap((name) =>
    filesUnder(`${root}/src/${name}`).flatMap((file) => (pattern.test(file) ? `src/${name}/${file}` : [])),
  );
}

/** The names of the folders in a folder; none when it does not exist. */
function foldersIn(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

/** The paths of the TypeScript files in a folder and its subfolders, relative to it. */
function filesUnder(folder) {
  return readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.ts'));
}

/** The names of the TypeScript files right in a folder. */
function filesIn(folder) {
  return readdirSync(folder).filter((name) => name.endsWith('.ts'));
}

function room(path, mayImport, message) {
  return {
    files: [path.endsWith('.ts') ? path : `${path}/**/*.{ts,tsx}`],
    rules: { 'house/import-directions': ['error', { mayImport: ['test/support', ...mayImport], message }] },
  };
}

/** Nobody would take away what a test left there. */
function withoutNames(name, importNames) {
  return { name, importNames, message: 'temporaryFolder() of test/support takes away what it gave.' };
}

/** Files that may not import these packages. */
function withoutPackages(files, group, message) {
  return {
    files,
    excludeFiles: tests,
    rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] },
  };
}

const frameworks = ['@nestjs/*', '@mikro-orm/*', 'fastify', '@fastify/*', 'pg', 'sharp', '@aws-sdk/*'];
const react = ['react', 'react/*', 'react-dom', 'react-dom/*', 'react-router-dom', '*.css'];
const browserGlobals = ['window', 'document', 'navigator', 'location', 'localStorage', 'sessionStorage'];
const onlyEnvironment = {
  object: 'process',
  property: 'env',
  message: 'Only src/config reads the environment: use the Config.',
};
/** Files of src/shared that browsers never load, or whose part that looks behind is left out of what they load. */
const serverShare = ['media-files', 'media', 'mentioned-address', 'storable-text'].map(
  (name) => `src/shared/${name}.ts`,
);

/** A property that browsers lack which are served. */
function tooYoung(object, property, instead) {
  const message = `Browsers that are served do not have it (product.md 2.18): ${instead}.`;
  return object === null ? { property, message } : { object, property, message };
}

const tooYoungProperties = [
  tooYoung('URL', 'parse', 'use parseUrl() of src/shared'),
  tooYoung('URL', 'canParse', 'use parseUrl() of src/shared'),
  tooYoung('AbortSignal', 'any', 'let an AbortController follow the signals'),
  tooYoung('Object', 'groupBy', 'group by hand'),
  tooYoung('Map', 'groupBy', 'group by hand'),
  tooYoung('Promise', 'withResolvers', 'use new Promise()'),
  tooYoung(null, 'isWellFormed', 'test for \\p{Surrogate}'),
  tooYoung(null, 'toWellFormed', 'replace \\p{Surrogate}'),
];
/** Rooms that read what programs hand over (decision 41). */
const zodRooms = ['src/config/**', 'src/auth/**', 'src/backup/**', 'src/database/**'];

/**
 * Packages, globals, environment variables and SQL that a room may not use, although they are no files of other rooms.
 */
export const forbiddenThings = [
  withoutPackages(
    ['src/**'],
    ['zod'],
    'Rules of what people fill in are classes of src/shared/contracts (decision 41).',
  ),
  withoutPackages(zodRooms, ['class-validator'], 'What programs hand over is read with zod (decision 41).'),
  withoutPackages(['src/shared/**'], [...frameworks, ...react, 'zod'], 'src/shared knows no framework.'),
  withoutPackages(['client/**'], [...frameworks, 'zod'], 'This cannot run in a browser.'),
  withoutPackages(
    ['cli/**'],
    ['@mikro-orm/*', 'pg', 'zod'],
    'The command line holds no SQL and no rules: ask a service.',
  ),
  {
    files: ['src/shared/**', 'client/**'],
    excludeFiles: [...tests, 'client/vite.config.ts'],
    rules: { 'import/no-nodejs-modules': 'error' },
  },
  {
    files: ['src/shared/**'],
    excludeFiles: tests,
    rules: { 'no-restricted-globals': ['error', ...browserGlobals, 'process', 'Buffer'] },
  },
  {
    files: ['src/**', 'client/**', 'cli/**'],
    excludeFiles: [...tests, 'src/config/**', 'cli/tools/**'],
    rules: {
      'no-restricted-properties': ['error', onlyEnvironment],
    },
  },
  {
    files: ['src/shared/**', 'client/**'],
    excludeFiles: [...tests, ...serverShare, 'client/vite.config.ts'],
    rules: {
      'no-restricted-properties': ['error', onlyEnvironment, ...tooYoungProperties],
      'house/no-has': 'error',
      'house/no-lookbehind': 'error',
    },
  },
  { files: ['cli/**'], excludeFiles: tests, rules: { 'house/no-sql': 'error' } },
  {
    files: ['**/*.spec.{ts,tsx}', 'test/**/*.{test,slow,suite,long}.{ts,tsx}'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            ...['node:fs', 'node:fs/promises'].map((name) => withoutNames(name, ['mkdtemp', 'mkdtempSync'])),
            withoutNames('node:os', ['tmpdir']),
          ],
        },
      ],
    },
  },
  {
    // Tests' small helpers may say it as they like.
    files: ['**/*.{ts,tsx,mjs}'],
    excludeFiles: ['**/*.spec.{ts,tsx}', 'test/**/*.test.ts'],
    rules: { 'house/plain-docstrings': 'error' },
  },
];
