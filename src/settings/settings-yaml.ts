import { LineCounter, parseDocument, stringify } from 'yaml';
import { companyFactNames, companyFacts, type CompanyFact, type FactValue } from '../shared/contracts/company-facts.js';
import type { CompanyState } from '../site/site.service.js';
import { SettingsRefusedError } from './settings.errors.js';

/** Far more than settings can be. */
const MAX_LENGTH = 1_000_000;
/** References to other parts of the file, which could make a small one huge. */
const MAX_ALIASES = 10;

const INTRODUCTION =
  '# The settings of the site. Change what you like, see with --dry-run what that changes, and bring it in with: site import\n';

/** Writes the facts that somebody has said. A locked one is a comment, as an import could not change it. */
export function writeSettings({ values, sources }: CompanyState): string {
  const said: Partial<Record<CompanyFact, FactValue>> = {};
  for (const name of companyFactNames) {
    if (sources[name] === 'setting' || sources[name] === 'variable') said[name] = values[name];
  }
  const locked = companyFactNames.filter((name) => sources[name] === 'locked');
  const remarks = locked.map((name) => `# ${name} is locked: ${companyFacts[name].variable ?? 'a variable'} says it\n`);
  return INTRODUCTION + remarks.join('') + stringify({ company: said }, { lineWidth: 100 });
}

/**
 * Reads a file of settings: the values below `company`, by the names that stand there.
 * @throws SettingsRefusedError for what is no such file
 */
export function readSettings(text: string): Readonly<Record<string, unknown>> {
  if (text.length > MAX_LENGTH) throw refusal('the file', 'is larger than settings can be');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    throw new SettingsRefusedError(
      document.errors.map(({ pos, message }) => ({ path: `line ${lines.linePos(pos[0]).line}`, message })),
    );
  }
  const root = toPlain(document);
  if (!isMapping(root)) throw refusal('the file', 'must hold a line "company:" with the facts below it');
  const unknown = Object.keys(root).filter((name) => name !== 'company');
  if (unknown.length > 0) {
    throw new SettingsRefusedError(unknown.map((path) => ({ path, message: 'is no setting; there is company' })));
  }
  const { company = null } = root;
  if (!isMapping(company)) throw refusal('company', 'must have the facts of the company below it, by their names');
  return company;
}

function toPlain(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw refusal('the file', error instanceof Error ? error.message : String(error));
  }
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refusal(path: string, message: string): SettingsRefusedError {
  return new SettingsRefusedError([{ path, message }]);
}
