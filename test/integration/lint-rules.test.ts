import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Snippet {
  readonly path: string;
  readonly code: string;
}
interface LintMessage {
  readonly ruleId: string;
  readonly message: string;
}
/** What the linter writes of one thing that it found; the code is the rule's name. */
interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly filename: string;
}

const oxlint = join(process.cwd(), 'node_modules/oxlint/bin/oxlint');

/** Lints files of a house that is laid out like the repository, by its rules; returns what is wrong with each. */
function lint(snippets: readonly Snippet[]): LintMessage[][] {
  const house = realpathSync(temporaryFolder());
  const write = (path: string, content: string) => {
    mkdirSync(join(house, dirname(path)), { recursive: true });
    writeFileSync(join(house, path), content);
  };
  const rules = [join(process.cwd(), 'oxlint.config.ts'), house].map((path) => JSON.stringify(path));
  symlinkSync(join(process.cwd(), 'node_modules'), join(house, 'node_modules'));
  for (const folder of ['', 'client/', 'test/']) {
    write(`${folder}tsconfig.json`, readFileSync(`${folder}tsconfig.json`, 'utf8'));
  }
  write('oxlint.config.ts', `import { configure } from ${rules[0]}; export default configure(${rules[1]});`);
  for (const { path, code } of snippets) write(path, code);
  const child = spawnSync(process.execPath, [oxlint, '--format', 'json'], { cwd: house, encoding: 'utf8' });
  if (!child.stdout.startsWith('{')) throw new Error(child.stdout + child.stderr);
  const { diagnostics } = JSON.parse(child.stdout) as { diagnostics: readonly Diagnostic[] };
  return snippets.map(({ path }) => diagnostics.filter(({ filename }) => filename === path).map(toMessage));
}

const toMessage = ({ code, message }: Diagnostic): LintMessage => ({ ruleId: code, message });

const ground = [
  'src/config/config.ts',
  'src/database/orm.ts',
  'src/database/pool/lease.ts',
  'src/http/guard.ts',
  'src/metrics/metrics.ts',
];
const doorsOfAudit = ['src/audit/audit-log.service.ts', 'src/audit/audit.module.ts'];
const doorsOfRoles = ['src/roles/roles.module.ts', 'src/roles/roles.service.ts'];
const doorsOfAuth = ['src/auth/admin/users.service.ts', 'src/auth/auth.module.ts'];
const doorsOfUploads = ['src/uploads/uploads.module.ts', 'src/uploads/uploads.service.ts'];
const doorsOfPosts = ['src/posts/posts.module.ts', 'src/posts/posts.service.ts'];
const doorsOfImport = ['src/import/import.module.ts', 'src/import/import.service.ts'];
const doorsOfExport = ['src/export/export.module.ts', 'src/export/posts-export.service.ts'];
/** Of a room that the order of features does not name. */
const doorsOfNews = ['src/news/news.module.ts', 'src/news/news.service.ts'];
/** The features from the ground up. */
const belowAuth = [...doorsOfAudit, ...doorsOfRoles];
const belowUploads = [...belowAuth, ...doorsOfAuth];
const belowPosts = [...belowUploads, ...doorsOfUploads];
const belowImport = [...belowPosts, ...doorsOfPosts];
const belowNews = [...belowImport, ...doorsOfImport, ...doorsOfExport];
const doors = [...belowNews, ...doorsOfNews];
const insideAudit = ['src/audit/audit-entry.entity.ts', 'src/audit/audit.controller.ts'];
const insideRoles = ['src/roles/role.errors.ts', 'src/roles/user-role.entity.ts'];
const insideAuth = ['src/auth/accounts/user.entity.ts', 'src/auth/tokens/token-codec.ts'];
const insidePosts = ['src/posts/post.entity.ts', 'src/posts/posts.repository.ts'];
const insideUploads = ['src/uploads/image.entity.ts', 'src/uploads/uploads.repository.ts'];
const insideImport = ['src/import/import-run.ts', 'src/import/open-source.ts'];
const insideExport = ['src/export/export-run.ts', 'src/export/json-files.ts'];
const insideNews = ['src/news/news.entity.ts', 'src/news/news.repository.ts'];
/** Open to import and export. */
const workings = ['src/posts/content/sanitize-content.ts', 'src/posts/post-columns.ts'];
/** Open to export. */
const readBack = ['src/import/exported/exported-body.ts'];
const shared = ['src/shared/paths.ts', 'src/shared/slug.ts'];
const bootstrap = ['src/app.module.ts', 'src/main.ts'];
const server = ['src/server/create-app.ts', 'src/server/start.ts'];
const pages = ['src/pages/page.controller.ts', 'src/pages/renderer.ts'];
const cli = ['cli/commands/posts.ts', 'cli/main.ts'];
const components = ['client/components/badge.tsx', 'client/components/button.tsx', 'client/lib/head.tsx'];
const content = ['client/content/plans.ts', 'client/content/services.ts'];
const contactFeature = ['client/features/contact/contact-form.tsx', 'client/features/contact/fields.tsx'];
const postsFeature = ['client/features/posts/post-card.tsx', 'client/features/posts/post-list.tsx'];
const screens = ['client/pages/site/about.tsx', 'client/pages/site/home.tsx', 'client/routes.tsx'];
const client = [...components, ...content, ...contactFeature, ...postsFeature, ...screens];
const migrations = ['migrations/Migration1.ts', 'migrations/Migration2.ts'];
const house = [
  ...[...ground, ...doors, ...shared, ...bootstrap, ...server, ...pages],
  ...[...insideAudit, ...insideRoles, ...insideAuth, ...insidePosts, ...insideUploads, ...insideImport],
  ...[...insideExport, ...insideNews, ...workings, ...readBack],
  ...[...cli, ...client, ...migrations],
];

/** For one file of each room, every file of the house that it may import. */
const mayImport: Record<string, readonly string[]> = {
  'src/shared/slug.ts': shared,
  'src/config/config.ts': shared,
  'src/database/orm.ts': [...ground.slice(0, 3), ...shared, ...migrations],
  'src/http/guard.ts': [...ground, ...shared],
  'src/metrics/metrics.ts': [...ground.slice(0, 3), ...shared],
  'src/audit/audit.controller.ts': [...ground, ...shared, ...insideAudit, ...doorsOfAudit],
  'src/audit/audit-log.service.ts': [...ground, ...shared, ...insideAudit, ...doorsOfAudit, ...doorsOfRoles],
  'src/roles/roles.service.ts': [...ground, ...shared, ...insideRoles, ...doorsOfRoles, ...doorsOfAudit],
  'src/auth/tokens/token-codec.ts': [...ground, ...shared, ...insideAuth, ...doorsOfAuth, ...belowAuth],
  'src/uploads/uploads.service.ts': [...ground, ...shared, ...insideUploads, ...doorsOfUploads, ...belowUploads],
  'src/posts/posts.repository.ts': [...ground, ...shared, ...insidePosts, ...workings, ...doorsOfPosts, ...belowPosts],
  'src/import/import-run.ts': [
    ...[...ground, ...shared, ...insideImport, ...readBack, ...doorsOfImport],
    ...[...workings, ...belowImport, 'src/posts/post.entity.ts'],
  ],
  'src/export/export-run.ts': [
    ...[...ground, ...shared, ...insideExport, ...doorsOfExport],
    ...[...workings, ...readBack, ...belowImport, ...doorsOfImport, 'src/posts/post.entity.ts'],
  ],
  'src/news/news.repository.ts': [...ground, ...shared, ...insideNews, ...doors],
  // Foreign keys lead to rooms below, and to two entities above.
  'src/roles/user-role.entity.ts': [
    ...[...shared, ...insideRoles, ...doorsOfRoles],
    ...['src/audit/audit-entry.entity.ts', 'src/auth/accounts/user.entity.ts'],
  ],
  'src/uploads/image.entity.ts': [
    ...[...shared, ...insideUploads, ...doorsOfUploads, 'src/audit/audit-entry.entity.ts'],
    ...['src/roles/user-role.entity.ts', 'src/auth/accounts/user.entity.ts', 'src/posts/post.entity.ts'],
  ],
  'src/posts/post.entity.ts': [
    ...[...shared, ...insidePosts, ...workings, ...doorsOfPosts, 'src/audit/audit-entry.entity.ts'],
    ...['src/roles/user-role.entity.ts', 'src/auth/accounts/user.entity.ts', 'src/uploads/image.entity.ts'],
  ],
  'src/pages/renderer.ts': [...ground, ...shared, ...doors, ...pages, ...client],
  'src/main.ts': [...ground, ...shared, ...doors, ...pages, ...bootstrap, ...server],
  'src/server/create-app.ts': [...ground, ...shared, ...doors, ...pages, ...server, 'src/app.module.ts'],
  'cli/commands/posts.ts': [...ground, ...shared, ...doors, ...cli, ...server, 'src/app.module.ts'],
  'migrations/Migration1.ts': migrations,
  'client/routes.tsx': [...client, ...shared],
  'client/pages/site/home.tsx': [...client, ...shared],
  'client/components/button.tsx': [...components, ...shared],
  'client/features/contact/contact-form.tsx': [...components, ...content, ...contactFeature, ...shared],
};

const relative = (from: string, to: string) => {
  const path = posix.relative(dirname(from), to).replace(/tsx?$/, 'js');
  return path.startsWith('.') ? path : `./${path}`;
};

describe('the directions of imports', () => {
  let found: LintMessage[][];

  beforeAll(() => {
    const importEverything = (path: string) =>
      house.flatMap((file) => (file === path ? [] : `import '${relative(path, file)}';`)).join('\n');
    const snippets = Object.keys(mayImport).map((path) => ({ path, code: importEverything(path) }));
    found = lint([...house.map((path) => ({ path, code: 'export {};' })), ...snippets]).slice(house.length);
  });

  it.each(Object.keys(mayImport).map((path, index) => ({ path, index })))('of $path', ({ path, index }) => {
    const refused = (found[index] ?? []).flatMap(({ ruleId, message }) =>
      ruleId === 'house(import-directions)' ? (/'(.*)' is out/.exec(message)?.[1] ?? message) : [],
    );
    const allowed = mayImport[path] ?? [];
    const expected = house.filter((file) => file !== path && !allowed.includes(file));
    expect(refused.sort()).toEqual(expected.map((file) => relative(path, file)).sort());
  });
});

describe('what a room may not use', () => {
  const refused: [path: string, code: string, ruleId: string][] = [
    ['src/shared/slug.ts', `import '@nestjs/common';`, 'eslint(no-restricted-imports)'],
    ['src/shared/slug.ts', `import '@mikro-orm/core';`, 'eslint(no-restricted-imports)'],
    ['src/shared/slug.ts', `import 'react';`, 'eslint(no-restricted-imports)'],
    ['src/shared/slug.ts', `import 'node:fs';`, 'import(no-nodejs-modules)'],
    ['src/shared/slug.ts', `import 'crypto';`, 'import(no-nodejs-modules)'],
    ['src/shared/slug.ts', `document.title = '';`, 'eslint(no-restricted-globals)'],
    ['src/shared/slug.ts', `Buffer.from('');`, 'eslint(no-restricted-globals)'],
    ['client/routes.tsx', `import '@nestjs/common';`, 'eslint(no-restricted-imports)'],
    ['client/routes.tsx', `import '@mikro-orm/postgresql';`, 'eslint(no-restricted-imports)'],
    ['client/routes.tsx', `import 'node:path';`, 'import(no-nodejs-modules)'],
    ['src/shared/slug.ts', `import 'zod';`, 'eslint(no-restricted-imports)'],
    ['src/posts/posts.service.ts', `import 'zod';`, 'eslint(no-restricted-imports)'],
    ['src/auth/accounts/signup.service.ts', `import 'class-validator';`, 'eslint(no-restricted-imports)'],
    ['cli/main.ts', `import 'pg';`, 'eslint(no-restricted-imports)'],
    ['cli/main.ts', `import '@mikro-orm/core';`, 'eslint(no-restricted-imports)'],
    ['cli/main.ts', `run('select * from blog_posts');`, 'house(no-sql)'],
    ['cli/main.ts', 'run(`UPDATE blog_posts\n SET is_published = ${value}`);', 'house(no-sql)'],
    ['cli/main.ts', `process.env['PORT'];`, 'eslint(no-restricted-properties)'],
    ['src/posts/posts.service.ts', `process.env.PORT;`, 'eslint(no-restricted-properties)'],
    ['src/main.ts', `/** What starts the server. */`, 'house(plain-docstrings)'],
    ['client/lib/head.tsx', `/**\n * Whether it is absolute.\n */`, 'house(plain-docstrings)'],
    ['src/main.ts', `const { env } = process;`, 'eslint(no-restricted-properties)'],
    ['src/posts/posts.spec.ts', `import { mkdtemp } from 'node:fs/promises';`, 'eslint(no-restricted-imports)'],
    ['test/cli/posts.test.ts', `import { mkdtempSync } from 'node:fs';`, 'eslint(no-restricted-imports)'],
    ['test/faults/kills.slow.ts', `import { tmpdir } from 'node:os';`, 'eslint(no-restricted-imports)'],
    ['client/lib/head.tsx', `process.env.NODE_ENV;`, 'eslint(no-restricted-properties)'],
    ['client/lib/head.tsx', `URL.canParse('/');`, 'eslint(no-restricted-properties)'],
    ['client/lib/head.tsx', `AbortSignal.any([]);`, 'eslint(no-restricted-properties)'],
    ['src/shared/slug.ts', `URL.parse('/');`, 'eslint(no-restricted-properties)'],
    ['src/shared/slug.ts', `'a'.isWellFormed();`, 'eslint(no-restricted-properties)'],
    ['src/shared/slug.ts', `/(?<!a)b/.test('b');`, 'house(no-lookbehind)'],
    ['client/lib/head.tsx', 'new RegExp(`(?<=${sign})b`);', 'house(no-lookbehind)'],
    ['client/lib/head.tsx', `document.querySelector('p:has(> a)');`, 'house(no-has)'],
    ['client/lib/head.tsx', 'document.body.closest(`:not(:has(${name}))`);', 'house(no-has)'],
  ];
  const allowed: [path: string, code: string][] = [
    ['src/config/config.ts', `process.env;`],
    ['src/posts/posts.service.spec.ts', `process.env['PORT'];`],
    ['src/posts/posts.spec.ts', `import { mkdirSync } from 'node:fs'; import { cpus } from 'node:os';`],
    ['test/support/temporary-folder.ts', `import { mkdtempSync } from 'node:fs'; import { tmpdir } from 'node:os';`],
    ['src/main.ts', `/** Starts the server. */ /* What a plain comment may begin with. */`],
    ['src/posts/posts.service.ts', `import 'node:fs'; import '@nestjs/common'; import '@mikro-orm/core';`],
    ['src/auth/accounts/signup.service.ts', `import 'zod';`],
    ['src/contact/enquiry-input.ts', `import 'class-validator';`],
    ['client/routes.tsx', `import 'react'; import './styles/index.css'; document.title = '';`],
    ['src/posts/posts.service.ts', `URL.canParse('/'); 'a'.isWellFormed(); /(?<!a)b/.test('b');`],
    ['client/lib/head.tsx', `/(?<name>a)(?:b)/.test('ab');`],
    ['client/lib/head.tsx', `document.querySelector('p:not(.has)'); new Set().has('p');`],
    ['cli/main.ts', `program.description('Update the posts of a folder; delete from the list with care');`],
  ];
  const rules = new Set(refused.map(([, , ruleId]) => ruleId));
  const rulesOf = (messages: readonly LintMessage[] = []) =>
    messages.map(({ ruleId }) => ruleId).filter((ruleId) => rules.has(ruleId));
  let found: LintMessage[][];

  beforeAll(() => {
    // Each in a folder of its own, as several are of one file.
    const snippets = [...refused, ...allowed].map(([path, code], index) => {
      return { path: join(dirname(path), `snippet-${index}`, basename(path)), code };
    });
    found = lint(snippets);
  });

  it.each(refused.map((entry, index) => [...entry, index] as const))('%s: %s', (_path, _code, ruleId, index) => {
    expect(rulesOf(found[index])).toEqual([ruleId]);
  });

  it.each(allowed.map((entry, index) => [...entry, index] as const))('but %s: %s', (_path, _code, index) => {
    expect(rulesOf(found[refused.length + index])).toEqual([]);
  });
});

describe('rules that need types', () => {
  let rulesBroken: string[][];

  beforeAll(() => {
    const found = lint([
      { path: 'src/database/orm.config.ts', code: 'export const openPool = 1;' },
      { path: 'src/contact/contact.ts', code: 'export {};' },
      {
        path: 'src/config/config.ts',
        code: `
          import { openPool } from '../database/orm.config.js';
          import '../contact/contact.js';
          export const anything: any = openPool;
          async function later(): Promise<void> {}
          later();
          type Status = 'draft' | 'published';
          export function toWord(status: Status) {
            switch (status) { case 'draft': return 'hidden'; }
          }`,
      },
      {
        path: 'client/pages/site/home.tsx',
        code: `
          import { useState } from 'react';
          import { RouteObject } from 'react-router-dom';
          export function Home({ isOpen, route }: { isOpen: boolean; route: RouteObject }) {
            if (isOpen) useState(0);
            return route.path;
          }`,
      },
      {
        path: 'src/http/guard.ts',
        code: `
          import { Injectable } from '@nestjs/common';
          import { Reflector } from '@nestjs/core';
          @Injectable()
          export class Guard {
            constructor(private readonly reflector: Reflector) {}
            canActivate() {
              return this.reflector;
            }
          }`,
      },
    ]);
    rulesBroken = found.slice(2).map((messages) => messages.map(({ ruleId }) => ruleId).sort());
  });

  it('hold in every file, and the directions of imports with them', () => {
    const [service, screen] = rulesBroken;
    expect(service).toEqual([
      'house(import-directions)',
      'house(import-directions)',
      // Of the compiler: not all code paths return a value.
      'typescript(TS7030)',
      'typescript(no-explicit-any)',
      'typescript(no-floating-promises)',
      'typescript(switch-exhaustiveness-check)',
    ]);
    expect(screen).toEqual(['react-hooks(rules-of-hooks)', 'typescript(consistent-type-imports)']);
  });

  it('never ask for a type import of an injected class', () => {
    expect(rulesBroken[2]).toEqual([]);
  });
});
