import type { Command } from 'commander';
import { DoctorService, type Finding, type FindingLevel } from '../../src/doctor/doctor.service.js';
import { paint, type Tone } from '../colors.js';
import { exitCodeFor } from '../exit-codes.js';
import { guide } from '../guide.js';
import { printable } from '../printable.js';
import { writeJson } from '../write-json.js';

const TONES = { ok: 'good', warn: 'notable', fail: 'bad' } as const satisfies Record<FindingLevel, Tone>;
const LABEL_WIDTH = 4;
/** The longest name of a check. */
const NAME_WIDTH = 'search-engines'.length;

async function handleDoctor({ json }: { readonly json?: true }): Promise<void> {
  const findings = await new DoctorService().examine();
  const failed = findings.filter(({ level }) => level === 'fail').length;
  process.exitCode = exitCodeFor(findings.length, failed);
  if (json) writeJson(findings);
  else process.stdout.write(findings.map(formatFinding).join('') + formatSums(findings));
}

function formatFinding({ check, level, message, advice }: Finding): string {
  const label = paint(TONES[level], level.toUpperCase().padEnd(LABEL_WIDTH));
  // Servers of others are quoted.
  const line = `${label}  ${check.padEnd(NAME_WIDTH)}  ${printable(message)}\n`;
  return advice === null ? line : `${line}${' '.repeat(LABEL_WIDTH + NAME_WIDTH + 4)}-> ${printable(advice)}\n`;
}

function formatSums(findings: readonly Finding[]): string {
  const count = (wanted: FindingLevel) => findings.filter(({ level }) => level === wanted).length;
  return `\n${count('ok')} ok, ${count('warn')} to look at, ${count('fail')} failed\n`;
}

/** `doctor`: finds problems of the installation and advises. */
export function registerDoctorCommand(program: Command): void {
  const doctor = program
    .command('doctor')
    .description('look at everything the site needs, and say what is wrong and what to do')
    .option('--json', 'write JSON')
    .action(handleDoctor);
  guide(doctor, {
    remarks:
      'Configuration, Node, setup; database, migrations, connections, clock, queue, backup; mail and its budget; images, storage, disk; keys, ' +
      'passwords, second factors, provider; encryption, public address, proxies; links, search engines, webhook, and what is left of the ' +
      'examples. Sends no mail, and changes nothing.',
    partly: 'something failed',
    examples: [
      ['', 'what is wrong'],
      ['--json', 'for programs that watch the site'],
    ],
  });
}
