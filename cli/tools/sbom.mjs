// `npm run sbom [-- <file>]`: writes the bill of materials of what operators install, as CycloneDX 1.5 in JSON, to
// sbom.cdx.json unless another file is named. It is made of package-lock.json alone: nothing has to be installed.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const file = resolve(process.argv[2] ?? `${root}sbom.cdx.json`);

/** Returns the bill that npm writes of every package, those of the tests included. */
function listAll() {
  // Its own --omit=dev, which NODE_ENV=production implies, also leaves out what the product shares with the tests.
  const all = ['--include=dev', '--include=optional', '--include=peer'];
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application', ...all];
  const { status, stdout } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status === 0) return JSON.parse(stdout);
  console.error('npm sbom failed: the output above says why. It comes with npm 10.2 or later.');
  process.exit(status ?? 1);
}

/** Returns `name@version` of every package that is not of the tests alone. */
function installedForProduction() {
  const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'));
  const entries = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
  return new Set(entries.map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`));
}

const bill = listAll();
const wanted = installedForProduction();
const isWanted = (reference) => wanted.has(reference);
const product = bill.metadata.component;
// npm calls the product by its folder.
product.name = JSON.parse(readFileSync(`${root}package.json`, 'utf8')).name;
bill.components = bill.components.filter((component) => isWanted(component['bom-ref']));
for (const component of bill.components) {
  // One of two copies may be there for the tests: then npm says so of both.
  component.properties = component.properties.filter(({ name }) => name !== 'cdx:npm:package:development');
}
bill.dependencies = bill.dependencies
  .filter(({ ref }) => ref === product['bom-ref'] || isWanted(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isWanted) }));
writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
console.log(`${bill.components.length} packages listed in ${file}`);
