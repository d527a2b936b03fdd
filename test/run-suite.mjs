// `npm run test:faults -- [--long] [what jest takes]`: a suite that has two sizes, short or at full size.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [project, ...given] = process.argv.slice(2);
const isLong = given.includes('--long');
const rest = given.filter((argument) => argument !== '--long');
// One file after the other at full size: the machine is what the scenarios are measured with. Paths come first, as jest
// takes all that follows the option for names of projects.
const args = ['run', '-s', 'test:jest', '--', ...rest, ...(isLong ? ['-i'] : []), '--selectProjects', project];
const env = { ...process.env, ...(isLong ? { TEST_FAULTS: 'long' } : {}) };
const { status } = spawnSync('npm', args, { cwd: root, stdio: 'inherit', env });
process.exit(status ?? 1);
