import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, jest } from '@jest/globals';
import { temporaryFolder } from '../test/support/temporary-folder.js';
import type { ImportItem } from '../src/shared/contracts/import-report.js';
import { reportImport, type ReportFlags } from './report-import.js';

afterEach(() => {
  process.exitCode = undefined;
});

const itemOf = (file: string, outcome: ImportItem['outcome']): ImportItem => ({
  file,
  slug: null,
  outcome,
  reasons: outcome === 'refused' ? ['it has no title'] : [],
  warnings: [],
  redirects: [],
});

async function* breakOff(): AsyncGenerator<ImportItem> {
  yield itemOf('a.md', 'created');
  yield itemOf('b.md', 'refused');
  throw new Error('the database <went> away');
}

/** Runs an import that breaks off, and returns what it printed. */
async function printed(flags: ReportFlags): Promise<string> {
  const texts: string[] = [];
  const spy = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    texts.push(String(text));
    return true;
  });
  try {
    await expect(reportImport(flags, 'posts', breakOff)).rejects.toThrow('the database <went> away');
  } finally {
    spy.mockRestore();
  }
  return texts.join('');
}

it('ends the reports of an import that breaks off with what was done, and why', async () => {
  const folder = temporaryFolder();
  const json = await printed({ json: true, report: join(folder, 'report.html') });
  expect(JSON.parse(json)).toMatchObject({
    items: [{ file: 'a.md' }, { file: 'b.md' }],
    counts: { created: 1, refused: 1 },
    error: 'the database <went> away',
  });
  const page = readFileSync(join(folder, 'report.html'), 'utf8');
  expect(page).toContain('<p>The import broke off: the database &lt;went&gt; away</p>');
  expect(page).toMatch(/<\/html>\n$/);

  const text = await printed({ report: join(folder, 'report.json') });
  // Those that need a decision are held back for the end.
  expect(text).toContain('b.md\n           reason: it has no title\n');
  expect(text).toMatch(/\nThe import broke off: the database <went> away\n1 created, .*1 refused\n$/);
  expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).toMatchObject({ counts: { refused: 1 } });
});
