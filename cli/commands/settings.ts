import { basename } from 'node:path';
import type { Command } from 'commander';
import { CompanyService, type FactChange, type ListedFact } from '../../src/settings/company.service.js';
import { SettingsFileService } from '../../src/settings/settings-file.service.js';
import type { TextDifference } from '../../src/shared/contracts/page-texts/differences.js';
import { OPERATOR } from '../../src/shared/actor.js';
import { factSpec, isCompanyFact, type FactValue } from '../../src/shared/contracts/company-facts.js';
import { MEDIA_PATH } from '../../src/shared/media.js';
import { UploadsService } from '../../src/uploads/uploads.service.js';
import { formatColumns } from '../columns.js';
import type { CliContext, WithContext } from '../context.js';
import { FORCE_OPTION, writeExport } from '../export-file.js';
import { guide } from '../guide.js';
import { printable } from '../printable.js';
import { readBytes, readText } from '../read-file.js';

const SOURCES: Readonly<Record<ListedFact['source'], string>> = {
  setting: 'setting',
  locked: 'locked by',
  variable: 'variable',
  fallback: 'nobody has said it',
};

/** The hours in words do nothing while days say them. */
const OVERRULED = 'the days, from open_monday to open_sunday, say the hours';

async function handleList(isJson: boolean, withContext: WithContext): Promise<void> {
  const facts = await withContext((context) => context.get(CompanyService).list(OPERATOR));
  if (isJson) return write(`${JSON.stringify(facts.map(toJson), null, 2)}\n`);
  write(formatColumns(facts.map((fact) => [fact.name, describe(fact.value), describeSource(fact)])));
}

async function handleGet(name: string, withContext: WithContext): Promise<void> {
  const { value } = await withContext((context) => context.get(CompanyService).find(OPERATOR, name));
  write(`${printable(value === null ? '' : String(value))}\n`);
}

async function handleSet(name: string, value: string, withContext: WithContext): Promise<void> {
  await withContext(async (context) => {
    const company = context.get(CompanyService);
    const changes = await company.publish(OPERATOR, { [name]: await toValue(name, value, context) });
    write(changes.length === 0 ? 'It is so already.\n' : describeChanges(changes));
    const { isOverruled } = await company.find(OPERATOR, name);
    if (isOverruled) write(`Pages say something else: ${OVERRULED}.\n`);
  });
}

/** Brings a file in where a picture is wanted. One that an export wrote keeps its name, which files of settings have. */
async function toValue(name: string, value: string, context: CliContext): Promise<string> {
  const isPicture = isCompanyFact(name) && factSpec(name).kind === 'picture';
  if (!isPicture || value === '' || value.startsWith(MEDIA_PATH)) return value;
  const fileName = basename(value);
  const { url } = await context
    .get(UploadsService)
    .storeImage(await readBytes(value), fileName, undefined, { fileName });
  return url;
}

async function handleExport(path: string | undefined, isReplacing: boolean, withContext: WithContext): Promise<void> {
  await writeExport({ path, isReplacing }, async (writeText) =>
    writeText(await withContext((context) => context.get(SettingsFileService).export(OPERATOR))),
  );
}

async function handleImport(file: string, isDryRun: boolean, withContext: WithContext): Promise<void> {
  const text = await readText(file);
  const { company, pages } = await withContext((context) =>
    context.get(SettingsFileService).import(OPERATOR, text, isDryRun),
  );
  const count = company.length + pages.length;
  const sum = count === 1 ? '1 setting changed' : `${count} settings changed`;
  write(
    `${describeChanges(company)}${describeDifferences(pages)}${sum}${isDryRun ? ' (dry run: nothing was written)' : ''}\n`,
  );
}

function describeSource({ source, variable, isIgnored, isOverruled }: ListedFact): string {
  const name = variable ?? '';
  const by = source === 'locked' || source === 'variable' ? ` ${name}` : '';
  return `${SOURCES[source]}${by}${isIgnored ? ` (${name} is ignored)` : ''}${isOverruled ? ` (${OVERRULED})` : ''}`;
}

function toJson({ name, value, source, variable, isIgnored, isOverruled }: ListedFact) {
  const origin = { source: source === 'fallback' ? 'default' : source, variable };
  return { name, value, ...origin, is_ignored: isIgnored, is_overruled: isOverruled };
}

function describeChanges(changes: readonly FactChange[]): string {
  const words = ({ before, after }: FactChange) =>
    before === after ? `${describe(after)} (an example until now)` : `${describe(before)} -> ${describe(after)}`;
  return changes.map((change) => `${change.name}: ${words(change)}\n`).join('');
}

function describeDifferences(differences: readonly TextDifference[]): string {
  return differences
    .map(({ path, before, after }) => `pages.${path}: ${describeText(before)} -> ${describeText(after)}\n`)
    .join('');
}

/** Long texts are not read in a terminal: their beginning says which it is. */
function describeText(value: unknown): string {
  if (value === undefined) return '(nothing)';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return printable(text.length > 200 ? `${text.slice(0, 200)}...` : text);
}

function describe(value: FactValue): string {
  if (value === null) return '(nothing)';
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : printable(value);
}

function write(text: string): void {
  process.stdout.write(text);
}

/** `settings` and `site`: what is set while the site runs. */
export function registerSettingsCommands(program: Command, withContext: WithContext): void {
  registerSettings(program.command('settings').description('what the site says of the company'), withContext);
  registerSite(program.command('site').description('the settings as a file, to keep in a repository'), withContext);
}

function registerSettings(settings: Command, withContext: WithContext): void {
  const list = settings
    .command('list')
    .description('every setting: its name, its value, and where it is from')
    .option('--json', 'write JSON')
    .action((flags: { readonly json?: true }) => handleList(flags.json === true, withContext));
  guide(list, {
    examples: [
      ['', 'all of them'],
      ['--json', 'for programs'],
    ],
  });
  const get = settings
    .command('get')
    .description('print the value of one setting')
    .argument('<name>', 'the setting, as settings list names it')
    .action((name: string) => handleGet(name, withContext));
  guide(get, { examples: [['phone', 'the telephone number']] });
  const set = settings
    .command('set')
    .description('change a setting, on every page at once')
    .argument('<name>', 'the setting, as settings list names it')
    .argument('<value>', 'its value; yes or no for claims; a file for pictures; "" for none, where there may be none')
    .action((name: string, value: string) => handleSet(name, value, withContext));
  guide(set, {
    remarks: 'Refuses settings whose variable SITE_LOCKED names.',
    examples: [
      ["phone '(555) 010-0150'", 'another telephone number'],
      ['open_monday 08:00-18:00', 'say when the company is open on Mondays, for search engines as well'],
      ['logo ./logo.png', 'show a picture in the place of the drawn mark'],
      ['claim_clients no', 'no longer say how many clients there are'],
    ],
  });
}

function registerSite(site: Command, withContext: WithContext): void {
  const exporting = site
    .command('export')
    .description('the settings that somebody has made, as YAML that can be imported again')
    .argument('[file]', 'where to write it; standard output by default')
    .option(...FORCE_OPTION)
    .action((file: string | undefined, { force }: { readonly force?: true }) =>
      handleExport(file, force === true, withContext),
    );
  guide(exporting, {
    examples: [
      ['site.yaml', 'a file to keep'],
      ['site.yaml --force', 'the same file anew'],
    ],
  });
  const importing = site
    .command('import')
    .description('take the settings of a file in, all of them or none, and say what changes')
    .argument('<file>', 'what holds the settings, in YAML')
    .option('--dry-run', 'only say what would change')
    .action((file: string, flags: { readonly dryRun?: true }) =>
      handleImport(file, flags.dryRun === true, withContext),
    );
  guide(importing, {
    remarks: 'Settings that the file does not name stay as they are. Every fault of the file is named by its path.',
    examples: [
      ['site.yaml --dry-run', 'see what would change'],
      ['site.yaml', 'change it'],
    ],
  });
}
