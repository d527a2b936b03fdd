import { ImportService } from '../../src/import/import.service.js';
import { OPERATOR } from '../../src/shared/actor.js';
import type { ImportItem, ImportOptions, ImportReport } from '../../src/shared/contracts/import-report.js';
import type { TestApp } from './create-test-app.js';

/** Imports a file or folder over the application's own service, as the operator, and waits for the whole report. */
export async function importPosts(app: TestApp, path: string, options: ImportOptions = {}): Promise<ImportReport> {
  const items: ImportItem[] = [];
  for await (const item of app.get(ImportService).importPosts(OPERATOR, path, options)) items.push(item);
  return { isDryRun: options.isDryRun === true, items };
}
