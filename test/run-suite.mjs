// `npm run test:faults -- [--long] [what jest takes]`: a suite that has two sizes, short or at full size.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [project, ...given] = process.argv.slice(2);
const isLong = given.includes('--long');
const rest = given.filter((argument) => argument !== '--long');
// One file after the other at full size: the machine is what the scenarios are measured with. Paths come first, as jest
// takes all that follows the option for names of projects.
const args = ['run', '-s', 'test:jest', '--', ...rest, ...(isLong ? ['-i'] : []), '--selectProjects', project];
const figures = mkdtempSync(join(tmpdir(), 'figures-'));
const env = { ...process.env, TEST_FAULTS: isLong ? 'long' : 'short', SUITE_FIGURES: figures };
const { status } = spawnSync('npm', args, { cwd: root, stdio: 'inherit', env });
printFigures(readdirSync(figures).map((name) => JSON.parse(readFileSync(join(figures, name), 'utf8'))));
rmSync(figures, { recursive: true });
process.exit(status ?? 1);

/** Prints the figures of all suites as one table (test/support/figures.ts). */
function printFigures(all) {
  if (all.length === 0) return;
  const kinds = ['5xx', 'stack', 'shape', 'silence', 'execution'];
  const row = ({ suite, places, sent, faults }) => [suite, places, sent, ...kinds.map((kind) => faults[kind] ?? '')];
  const rows = [['suite', 'places', 'sent', ...kinds], ...all.map(row)];
  for (const [name, ...counts] of rows) {
    console.log(name.padEnd(28) + counts.map((count) => String(count).padStart(11)).join(''));
  }
}
