import { LineCounter, parseDocument, stringify } from 'yaml';
import { companyFactNames, companyFacts, type CompanyFact, type FactValue } from '../shared/contracts/company-facts.js';
import { isRecord } from '../shared/is-record.js';
import type { CompanyState } from '../site/site.service.js';
import { SettingsRefusedError } from './settings.errors.js';

/** Far more than settings can be. */
const MAX_LENGTH = 1_000_000;
/** References to other parts of the file, which could make a small one huge. */
const MAX_ALIASES = 10;

const INTRODUCTION =
  '# The settings of the site. Change what you like, see with --dry-run what that changes, and bring it in with: site import\n';

type Values = Readonly<Record<string, unknown>>;

/** The settings of a file, by the names of their documents: texts of pages as `pricing.plans`. */
export interface SettingsFile {
  readonly company: Values;
  readonly pages: Values;
}

/**
 * Writes the facts that somebody has said. A locked one is a comment, as an import could not change it.
 * @param pages the texts that are not as they came, by page
 */
export function writeSettings({ values, sources }: CompanyState, pages: Readonly<Record<string, Values>> = {}): string {
  const said: Partial<Record<CompanyFact, FactValue>> = {};
  for (const name of companyFactNames) {
    if (sources[name] === 'setting' || sources[name] === 'variable') said[name] = values[name];
  }
  const locked = companyFactNames.filter((name) => sources[name] === 'locked');
  const remarks = locked.map((name) => `# ${name} is locked: ${companyFacts[name].variable ?? 'a variable'} says it\n`);
  const edited = Object.keys(pages).length > 0 ? { pages } : {};
  return INTRODUCTION + remarks.join('') + stringify({ company: said, ...edited }, { lineWidth: 100 });
}

/**
 * Reads a file of settings: the values below `company`, by the names that stand there, and those below the pages of
 * `pages`. A part that is missing has none.
 * @throws SettingsRefusedError for what is no such file
 */
export function readSettings(text: string): SettingsFile {
  if (text.length > MAX_LENGTH) throw refusal('the file', 'is larger than settings can be');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    throw new SettingsRefusedError(
      document.errors.map(({ pos, message }) => ({ path: `line ${lines.linePos(pos[0]).line}`, message })),
    );
  }
  const root = toPlain(document);
  if (!isRecord(root)) throw refusal('the file', 'must hold a line "company:" with the facts below it, or "pages:"');
  const unknown = Object.keys(root).filter((name) => name !== 'company' && name !== 'pages');
  if (unknown.length > 0) {
    throw new SettingsRefusedError(
      unknown.map((path) => ({ path, message: 'is no setting; there are company and pages' })),
    );
  }
  const { company = {}, pages = {} } = root;
  if (!isRecord(company)) throw refusal('company', 'must have the facts of the company below it, by their names');
  if (!isRecord(pages)) throw refusal('pages', 'must have pages below it, by their names');
  return { company, pages: flatten(pages) };
}

/** Names texts as they are stored: `pricing.plans` for what stands as `plans` below `pricing`. */
function flatten(pages: Values): Values {
  const texts = Object.entries(pages).flatMap(([page, values]) => {
    if (!isRecord(values)) throw refusal(`pages.${page}`, 'must have the texts of the page below it, by their names');
    return Object.entries(values).map(([name, value]) => [`${page}.${name}`, value] as const);
  });
  return Object.fromEntries(texts);
}

function toPlain(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw refusal('the file', error instanceof Error ? error.message : String(error));
  }
}

function refusal(path: string, message: string): SettingsRefusedError {
  return new SettingsRefusedError([{ path, message }]);
}
