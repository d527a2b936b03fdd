import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.js';

const knip = join(process.cwd(), 'node_modules/.bin/knip');

interface Issues {
  readonly file: string;
  readonly files: readonly { readonly name: string }[];
  readonly dependencies: readonly { readonly name: string }[];
  readonly devDependencies: readonly { readonly name: string }[];
  readonly unlisted: readonly { readonly name: string }[];
  readonly exports: readonly { readonly name: string }[];
  readonly types: readonly { readonly name: string }[];
}

interface Findings {
  /** Packages that are declared and imported by nothing. */
  readonly unused: string[];
  /** Packages that are imported and not declared. */
  readonly undeclared: string[];
  /** Files that nothing imports. */
  readonly dead: string[];
  /** Exports that nobody uses, not even their own file. */
  readonly idle: string[];
}

async function examine(folder: string): Promise<Findings> {
  const kinds = 'dependencies,unlisted,files,exports,types';
  const options = ['--config', 'test/knip.jsonc', '--include', kinds, '--reporter', 'json'];
  const output = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [knip, ...options], { cwd: folder }, (error, stdout, stderr) => {
      // It ends with 1 where it found something.
      if (error !== null && error.code !== 1) reject(new Error(stderr || error.message));
      else resolve(stdout);
    });
  });
  const { issues } = JSON.parse(output) as { readonly issues: readonly Issues[] };
  const unused = issues.flatMap(({ dependencies, devDependencies }) => [...dependencies, ...devDependencies]);
  return {
    unused: unused.map(({ name }) => name).sort(),
    dead: issues.flatMap(({ files }) => files.map(({ name }) => name)).sort(),
    idle: issues
      .flatMap(({ file, exports, types }) => [...exports, ...types].map(({ name }) => `${file}: ${name}`))
      .sort(),
    undeclared: issues.flatMap(({ file, unlisted }) => unlisted.map(({ name }) => `${file}: ${name}`)).sort(),
  };
}

describe('package.json', () => {
  it('names the packages that are imported, and nothing else; and no file or export is there for nobody', async () => {
    expect(await examine(process.cwd())).toEqual({ unused: [], undeclared: [], dead: [], idle: [] });
  });

  it('would be found out', async () => {
    const folder = temporaryFolder();
    const put = async (path: string, text: string) => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    };
    const { dependencies } = JSON.parse(await readFile('package.json', 'utf8')) as { dependencies: object };
    await put('package.json', JSON.stringify({ type: 'module', dependencies: { ...dependencies, extra: '1.0.0' } }));
    await put('src/main.ts', `import 'fastify';\nimport { used } from './part.js';\nused;\n`);
    await put(
      'src/part.ts',
      `import 'forgotten';\nexport const idle = 1;\nexport type Idle = 1;\nconst own = 1;\nexport const used = own;\n`,
    );
    await put('src/left.ts', `export const left = 1;\n`);
    await mkdir(join(folder, 'test'), { recursive: true });
    await copyFile('test/knip.jsonc', join(folder, 'test/knip.jsonc'));
    const { unused, undeclared, dead, idle } = await examine(folder);
    expect(dead).toEqual(['src/left.ts']);
    expect(idle).toEqual(['src/part.ts: Idle', 'src/part.ts: idle']);
    expect(undeclared).toEqual(['src/part.ts: forgotten']);
    expect(unused).toContain('extra');
    expect(unused).not.toContain('fastify');
  });
});
