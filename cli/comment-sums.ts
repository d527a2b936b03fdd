import type { ImportItem } from '../src/shared/contracts/import-report.js';

/** Counts the comments of an import, and why others were left. */
export class CommentSums {
  private readonly sums = { came: 0, changed: 0, gone: 0 };
  private readonly left = new Map<string, number>();

  add({ comments }: ImportItem): void {
    if (comments === undefined) return;
    this.sums.came += comments.came;
    this.sums.changed += comments.changed;
    this.sums.gone += comments.gone;
    for (const [reason, count] of Object.entries(comments.left)) {
      this.left.set(reason, (this.left.get(reason) ?? 0) + count);
    }
  }

  /** For programs. */
  toJson() {
    return { ...this.sums, left: Object.fromEntries(this.left) };
  }

  /** In words; empty without any comment. */
  describe(): string {
    const { came, changed, gone } = this.sums;
    const left = [...this.left].map(([reason, count]) => `${count} ${reason}`);
    if (came + changed + gone === 0 && left.length === 0) return '';
    const parts = [
      `${came} came`,
      ...(changed > 0 ? [`${changed} changed`] : []),
      ...(gone > 0 ? [`${gone} gone`] : []),
    ];
    return `comments: ${parts.join(', ')}${left.length === 0 ? '' : `; not taken: ${left.join(', ')}`}`;
  }
}
