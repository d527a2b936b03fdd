const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})/;

/** Returns the backticks or tildes with which a line opens or closes code, in quotations and lists too; empty for any other line. */
export function fenceOf(line: string): string {
  return FENCE.exec(line)?.[1] ?? '';
}
