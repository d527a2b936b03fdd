import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ExportOptions } from '../shared/contracts/export-report.js';
import { ExportError } from './export.error.js';
import { listFolder, StagedFiles } from './staged-files.js';

/** Names the files of the export, so that the next one can replace them and nothing else. */
const LIST_FILE = '.posts-export.json';
/** The names that the formats give their files. */
const ours =
  /^(?:\.posts-export\.json|[a-z0-9_-]+\.md|posts\.(?:xml|json)|(?:images|media|content\/[a-z]+)\/[a-z0-9.-]+)$/;

/** A folder that holds one export and a list of its files. */
export class ExportFolder {
  private constructor(
    readonly staged: StagedFiles,
    private readonly replaced: readonly string[],
  ) {}

  /** @throws ExportError if the folder holds anything that is not to be replaced */
  static async create(folder: string, { isReplacing, isPublishedOnly }: ExportOptions): Promise<ExportFolder> {
    const entries = (await listFolder(folder)) ?? [];
    const earlier = entries.length === 0 ? [] : await readList(folder);
    if (earlier === null) throw new ExportError(`${folder} is not empty, and nothing in it is of an earlier export`);
    if (entries.length > 0 && isReplacing !== true) {
      throw new ExportError(`${folder} holds an earlier export (--force replaces it)`);
    }
    return new ExportFolder(await StagedFiles.create(folder, basename(folder), isPublishedOnly !== true), earlier);
  }

  /** Lets everything appear in its place. */
  async finish(): Promise<void> {
    const files = [...this.staged.files, LIST_FILE];
    const list = { format: 'posts-export', version: 1, files };
    await this.staged.write(LIST_FILE, `${JSON.stringify(list, null, 1)}\n`);
    await this.staged.publish(this.replaced);
  }
}

/** The files of an earlier export in the folder; null if there was none. */
async function readList(folder: string): Promise<string[] | null> {
  try {
    const list: unknown = JSON.parse(await readFile(join(folder, LIST_FILE), 'utf8'));
    const files = typeof list === 'object' && list !== null && 'files' in list ? list.files : null;
    return Array.isArray(files) ? files.filter(isOurs) : null;
  } catch {
    return null;
  }
}

/**
 * Returns true for files that an export can have written: somebody who changes the list must not get other files
 * removed.
 */
function isOurs(file: unknown): file is string {
  return typeof file === 'string' && ours.test(file);
}
