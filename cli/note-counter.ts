import { PAGE_THERE, typeOfReason, type ImportItem } from '../src/shared/contracts/import-report.js';

/** How reports name pages that were not taken, each with the number of them. */
export const PAGES_LEFT = 'a page was not taken (--pages makes posts of a category of them)';

/** As many kinds as a report has; further ones are not counted by themselves. */
const MAX_KINDS = 500;

/** A kind of note, with an ellipsis for what differs, and the number of items that have it. */
export interface CountedNote {
  readonly note: string;
  readonly count: number;
}

/** Counts what reports say of items, each kind once. */
export class NoteCounter {
  private readonly counts = new Map<string, number>();

  add({ reasons, warnings, outcome }: ImportItem): void {
    // Of what is no post, pages and types of plugins might have been wanted.
    const pages = reasons.filter((reason) => reason === PAGE_THERE).map(() => PAGES_LEFT);
    const types = outcome === 'skipped' ? reasons.flatMap((reason) => typeOfReason(reason) ?? []) : [];
    const kept = types.map((type) => `something of the type ${type.slice(0, 100)} was not taken`);
    const notes = outcome === 'skipped' ? [...pages, ...warnings] : [...reasons, ...warnings];
    for (const kind of new Set([...kept, ...notes.map(kindOf)])) {
      if (this.counts.has(kind) || this.counts.size < MAX_KINDS)
        this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    }
  }

  /** The most frequent ones first. */
  list(): CountedNote[] {
    const all = [...this.counts].map(([note, count]) => ({ note, count }));
    return all.sort((a, b) => b.count - a.count || (a.note < b.note ? -1 : 1));
  }
}

/** The note without names, addresses and numbers. What was there in full, which ends a note, goes as well. */
function kindOf(note: string): string {
  return note
    .replace(/(?<=; it was: |was left in the text: |was removed: ).*$/s, '…')
    .replace(
      /(?<=^the (?:image|old address|audio|video|captions|file) )(?!has |is )\S.*?(?=: | leads| does| became| that belongs|$)/s,
      '…',
    )
    .replace(
      /(?<=^leads to (?:(?:pages of the old site|files) that are no posts(?: here)?|files of the old site[^:]*): ).*$/s,
      '…',
    )
    .replace(/(?<=^the (?:title|description|image|address) [^:]* was not taken: | is in it: ).*$/s, '…')
    .replace(
      /(?<=^(?:headings have other ids here|links to places of the text|what other sites showed)[^:]*: ).*$/s,
      '…',
    )
    .replace(/(?<=^(?:styles were taken off|words in attributes of components were left out): ).*$/s, '…')
    .replace(/(?<= (?:is that of|leads to) )\S.*(?= already)/s, '…')
    .replace(/'[^']*'/g, '…')
    .replace(/\([^()]*\)/g, '(…)')
    .replace(/\b\d+\b/g, '…')
    .replace(/…(?:, …)+/g, '…')
    .slice(0, 200);
}
