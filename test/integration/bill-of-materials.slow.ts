import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Bill {
  readonly bomFormat: string;
  readonly metadata: {
    readonly component: { readonly 'bom-ref': string; readonly name: string; readonly type: string };
  };
  readonly components: readonly { readonly 'bom-ref': string; readonly hashes?: readonly { readonly alg: string }[] }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}
interface LockedPackage {
  readonly version: string;
  readonly dev?: boolean;
  readonly integrity?: string;
}

let folder: string;

/** Runs the script where nothing is installed, on a machine of production. */
const writeBill = (...args: readonly string[]) =>
  spawnSync('npm', ['run', '-s', 'sbom', '--', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });

function lockedPackages(): [string, LockedPackage][] {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockedPackage> };
  const { '': _, ...packages } = lock.packages;
  return Object.entries(packages).map(([path, entry]) => [
    `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${entry.version}`,
    entry,
  ]);
}

describe('npm run sbom', () => {
  beforeAll(() => {
    folder = temporaryFolder();
    for (const path of ['package.json', 'package-lock.json', 'cli/tools/sbom.mjs']) cpSync(path, join(folder, path));
  });

  it('lists every package that production installs, with its checksum, and none of the tests alone', () => {
    const file = join(folder, 'sbom.cdx.json');
    const { status, stdout } = writeBill();
    const bill = JSON.parse(readFileSync(file, 'utf8')) as Bill;
    const listed = bill.components.map((component) => component['bom-ref']);
    const installed = new Map(lockedPackages().filter(([, { dev }]) => !dev));

    expect({ status, stdout }).toEqual({ status: 0, stdout: `${installed.size} packages listed in ${file}\n` });
    expect([...listed].sort()).toEqual([...installed.keys()].sort());
    expect(bill.components.filter(({ hashes }) => hashes === undefined).map((one) => one['bom-ref'])).toEqual(
      listed.filter((name) => installed.get(name)!.integrity === undefined),
    );
    expect(JSON.stringify(bill)).not.toContain('cdx:npm:package:development');
  });

  it('says which package needs which, from the product down', () => {
    const bill = readFileSync(join(folder, 'sbom.cdx.json'), 'utf8');
    const { bomFormat, metadata, components, dependencies } = JSON.parse(bill) as Bill;
    const listed = components.map((component) => component['bom-ref']);
    const product = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly name: string;
      readonly version: string;
      readonly dependencies: Record<string, string>;
    };
    const reference = `${product.name}@${product.version}`;

    expect(bomFormat).toBe('CycloneDX');
    expect(metadata.component).toMatchObject({ 'bom-ref': reference, name: product.name, type: 'application' });
    expect(dependencies.map(({ ref }) => ref).sort()).toEqual([reference, ...listed].sort());
    expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((name) => !listed.includes(name))).toEqual([]);
    expect(dependencies.find(({ ref }) => ref === reference)?.dependsOn).toEqual(
      expect.arrayContaining(Object.entries(product.dependencies).map(([name, version]) => `${name}@${version}`)),
    );
  });

  it('writes nothing when npm cannot read the lock', () => {
    writeFileSync(join(folder, 'package-lock.json'), '{');
    const file = join(folder, 'bill.json');
    const { status, stderr } = writeBill(file);
    expect(status).toBe(1);
    expect(stderr).toContain('npm sbom failed');
    expect(existsSync(file)).toBe(false);
  });
});
