/** A cell of a table as the editor holds it: its place and what it says of itself beside its text. */
export interface CellValue {
  /** Key of the table: neighboring lines of one table have the same. */
  readonly table: string;
  /** Key of the row: neighboring cells of one row have the same. */
  readonly row: string;
  /** `caption`, `head`, `foot`, or `body` with a number, as a table may have several. */
  readonly part: string;
  readonly tag: 'td' | 'th';
  /** Empty if it says none. */
  readonly scope: string;
  readonly colspan: number;
  readonly rowspan: number;
}

let lastKey = 0;

/** A key for a new table or row. */
export function newKey(): string {
  lastKey += 1;
  return lastKey.toString(36);
}

/** A cell as the value of a line's format: a text, as the editor compares formats by identity. */
export function writeCell({ table, row, part, tag, scope, colspan, rowspan }: CellValue): string {
  return [table, row, part, tag, scope || '-', colspan, rowspan].join(' ');
}

/** The opposite of {@link writeCell}. */
export function readCell(value: unknown): CellValue {
  const [table = '', row = '', part = '', tag, scope = '-', colspan, rowspan] = String(value).split(' ');
  return {
    ...{ table, row, part, tag: tag === 'th' ? 'th' : 'td', scope: scope === '-' ? '' : scope },
    ...{ colspan: Number(colspan ?? 1) || 1, rowspan: Number(rowspan ?? 1) || 1 },
  };
}

/** A cell of a new row or table. */
export function plainCell(table: string, row: string, part: string): CellValue {
  return { table, row, part, tag: 'td', scope: '', colspan: 1, rowspan: 1 };
}

/** A cell that names its column. */
export function headCell(table: string, row: string): CellValue {
  return { ...plainCell(table, row, 'head'), tag: 'th', scope: 'col' };
}
