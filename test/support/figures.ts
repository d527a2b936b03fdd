import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The work and the findings of a suite; kinds of faults that it does not look for are left out. */
export interface Figures {
  readonly suite: string;
  /** Routes, or kinds of documents. */
  readonly places: number;
  /** Requests, or documents that were opened. */
  readonly sent: number;
  readonly faults: Readonly<Partial<Record<Fault, number>>>;
}

/** Faults: an error of ours, words of the inside, another shape than documented, no answer, a script that ran. */
export type Fault = '5xx' | 'stack' | 'shape' | 'silence' | 'execution';

/** Leaves figures for the table of all suites, where there is one (run-suite.mjs). */
export function report(figures: readonly Figures[]): void {
  const folder = process.env['SUITE_FIGURES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  for (const line of figures) writeFileSync(join(folder, `${line.suite}.json`), JSON.stringify(line));
}
