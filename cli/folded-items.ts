import { FOLDED_REASONS, type ImportItem } from '../src/shared/contracts/import-report.js';

type Kind = keyof typeof FOLDED_REASONS;

const WORDS: Readonly<Record<Kind, readonly [one: string, many: string]>> = {
  file: ['file of the media library', 'files of the media library'],
  entry: ['entry of a menu', 'entries of menus'],
  version: ['earlier version', 'earlier versions'],
};
const kinds = Object.keys(WORDS) as Kind[];

/** Counts the items of an import that are named by their number alone. */
export class FoldedItems {
  private readonly counts = new Map<Kind, number>();

  /** Returns true for an item that is one of them, which is counted. */
  take({ outcome, reasons, warnings }: ImportItem): boolean {
    const kind = kinds.find((name) => reasons.includes(FOLDED_REASONS[name]));
    if (kind === undefined || outcome !== 'skipped' || warnings.length > 0) return false;
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    return true;
  }

  /** One line with the numbers; empty without any. */
  describe(): string {
    const parts = [...this.counts].map(([kind, count]) => `${count} ${WORDS[kind][count === 1 ? 0 : 1]}`);
    return parts.length === 0 ? '' : `${parts.join(', ')}: no posts`;
  }
}
