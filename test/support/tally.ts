/** Counts of answers by area and class, as one table. */
export class Tally {
  private readonly rows = new Map<string, number[]>();
  private readonly begunAt = performance.now();

  add(area: string, status: number, isFault: boolean): void {
    const row = this.rows.get(area) ?? [0, 0, 0, 0, 0, 0, 0];
    const place = Math.floor(status / 100);
    row[place] = (row[place] ?? 0) + 1;
    if (isFault) row[6] = (row[6] ?? 0) + 1;
    this.rows.set(area, row);
  }

  toTable(title: string): string {
    const seconds = Math.round((performance.now() - this.begunAt) / 1000);
    const cells = [...this.rows]
      .sort()
      .map(([area, [none = 0, , good = 0, on = 0, refused = 0, ours = 0, faults = 0]]) => [
        area,
        ...[none + good + on + refused + ours, good, on, refused, ours, none, faults].map(String),
      ]);
    const lines = [['area', 'requests', '2xx', '3xx', '4xx', '5xx', 'none', 'faults'], ...cells];
    const text = lines.map(
      ([area = '', ...counts]) => area.padEnd(12) + counts.map((count) => count.padStart(10)).join(''),
    );
    return `${title}, ${seconds} s\n${text.join('\n')}\n`;
  }
}
