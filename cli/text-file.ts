import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { decodeText } from './read-file.js';

const NO_EDITOR = 120;

/** The shell knows the variables, which may have arguments in them: `code --wait`. */
const OPEN_EDITOR = `
editor="\${VISUAL:-$EDITOR}"
if [ -z "$editor" ]; then
  [ -t 0 ] && [ -t 1 ] || exit ${NO_EDITOR}
  editor=vi
fi
eval "$editor \\"\\$1\\""
`;

/** A text in a file of its own that only this account can read, for as long as somebody writes in it. */
export class TextFile {
  private constructor(
    readonly path: string,
    private readonly original: string,
  ) {}

  /** @param name of the file: editors color by its ending */
  static async create(name: string, text: string): Promise<TextFile> {
    const path = join(await mkdtemp(join(tmpdir(), 'post-')), name);
    await writeFile(path, text, { mode: 0o600 });
    return new TextFile(path, text);
  }

  /**
   * Opens the file in the editor that VISUAL or EDITOR names, or in vi, and returns the text when the editor ends; null
   * when it is as it was at first, or empty.
   * @throws Error when the editor cannot be started, ends with an error, or leaves no text in UTF-8
   */
  async edit(): Promise<string | null> {
    const code = await openEditor(this.path);
    if (code === NO_EDITOR) throw new Error('there is no editor: set VISUAL or EDITOR');
    if (code !== 0) throw new Error(`the editor ended with ${code === null ? 'a signal' : `code ${code}`}`);
    if (this.isGone()) throw new Error('the editor left no file');
    const text = await this.read();
    return text === this.original || text.trim() === '' ? null : text;
  }

  /** Removes the file. */
  async discard(): Promise<void> {
    await rm(dirname(this.path), { recursive: true, force: true });
  }

  /** Removes the file if nothing was written in it; otherwise returns the words that name it. */
  async keep(): Promise<string> {
    // An unreadable one is kept as well.
    if (!this.isGone() && (await this.read().catch(() => null)) !== this.original) {
      return `What you wrote is kept in ${this.path}`;
    }
    // An editor that fails may leave the text under another name, such as that of a backup.
    const folder = dirname(this.path);
    const others = (await readdir(folder)).filter((name) => name !== basename(this.path));
    if (others.length > 0) return `The editor left ${others.map((name) => join(folder, name)).join(', ')}`;
    await this.discard();
    return 'Nothing was changed.';
  }

  private isGone(): boolean {
    return !existsSync(this.path);
  }

  private async read(): Promise<string> {
    return decodeText(await readFile(this.path), 'the file').replace(/\r\n?/g, '\n');
  }
}

/** Resolves with the exit code of the editor; null for one that was killed. */
async function openEditor(path: string): Promise<number | null> {
  // Ctrl+C is for the editor, which many of them do not die of.
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  try {
    return await new Promise((resolve, reject) => {
      const editor = spawn('/bin/sh', ['-c', OPEN_EDITOR, 'sh', path], { stdio: 'inherit' });
      editor.once('error', reject);
      editor.once('close', resolve);
    });
  } finally {
    process.removeListener('SIGINT', ignore);
  }
}
