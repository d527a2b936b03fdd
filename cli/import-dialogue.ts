import type { ImportDialogue } from '../src/import/import.service.js';
import { ask } from './ask.js';
import { confirm } from './confirm.js';
import { printable } from './printable.js';

/** Posts that are named in a question; of more, only how many there are. */
const MAX_NAMED = 20;

type Change = Parameters<NonNullable<ImportDialogue['confirmChanges']>>[0][number];

/** The questions of an import; none where nobody sits at a terminal. */
export function importQuestions(): Pick<ImportDialogue, 'nameSource' | 'confirmChanges'> {
  if (!process.stdin.isTTY) return {};
  return { nameSource, confirmChanges: (changes) => confirm(describeChanges(changes)) };
}

/**
 * Asks before posts are published that are kept from readers.
 * @param withheld how many there are, by the reason
 */
export async function confirmDrafts(path: string, withheld: ReadonlyMap<string, number>): Promise<boolean> {
  const reasons = [...withheld].map(([reason, count]) => `  ${count} of which it is said: ${printable(reason)}\n`);
  return await confirm(
    `Everybody can read these posts of ${printable(path)} as soon as they are here:\n${reasons.join('')}` +
      '  and those of it that were unpublished here since their import\nPublish them?',
  );
}

async function nameSource(hint: string | undefined): Promise<string> {
  const reason = hint === undefined ? '' : ` (${printable(hint)})`;
  return await ask(
    `Nothing says which site these posts are from${reason}. Its posts are known by its name at every import.\n` +
      'The address of the site, or a name for it: ',
  );
}

function describeChanges(changes: readonly Change[]): string {
  const lines = changes.slice(0, MAX_NAMED).map(({ file, slug, title, share }) => {
    return `  ${printable(file)} -> ${printable(slug)}: ${Math.round(share * 100)} % of '${printable(title)}'\n`;
  });
  const more = changes.length > MAX_NAMED ? `  and ${changes.length - MAX_NAMED} more\n` : '';
  return `These posts would lose words that they have here:\n${lines.join('')}${more}Replace them?`;
}
