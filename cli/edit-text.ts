import { writeSync } from 'node:fs';
import { ask } from './ask.js';
import { beforeSignalEnds } from './before-signal.js';
import { InterruptedError } from './exit-codes.js';
import { printable } from './printable.js';
import type { TextFile } from './text-file.js';

/**
 * Opens a text in an editor and saves it; opens it again where a person wants to repair it. Null when nothing was
 * written. Whatever fails, the text stays in its file, which the error names.
 * @param isRepairable true for an error that another text would not have
 */
export async function editAndSave<T>(
  file: TextFile,
  save: (text: string) => Promise<T>,
  isRepairable: (error: unknown) => boolean,
): Promise<T | null> {
  for (;;) {
    try {
      const text = await file.edit();
      const saved = text === null ? null : await namedAtSignals(file, () => save(text));
      await file.discard();
      return saved;
    } catch (error) {
      if (isRepairable(error) && process.stdin.isTTY && (await wantsToRepair(file, error))) continue;
      throw new Error(`${messageOf(error)}\n${await file.keep()}`, { cause: error });
    }
  }
}

/** Saves a text that came in one piece; whatever fails, it is kept in a file, which the error names. */
export async function saveOrKeep<T>(file: TextFile, save: () => Promise<T>): Promise<T> {
  try {
    const saved = await namedAtSignals(file, save);
    await file.discard();
    return saved;
  } catch (error) {
    throw new Error(`${messageOf(error)}\nThe text is kept in ${file.path}`, { cause: error });
  }
}

/** Names the file of a text when Ctrl+C or another signal ends the process meanwhile: nobody would find it. */
async function namedAtSignals<T>({ path }: TextFile, task: () => Promise<T>): Promise<T> {
  const release = beforeSignalEnds(() => {
    try {
      writeSync(process.stderr.fd, `\nNobody knows whether it was saved. What you wrote is kept in ${path}\n`);
    } catch {
      // A terminal that is gone shows nothing.
    }
  });
  try {
    return await task();
  } finally {
    release();
  }
}

async function wantsToRepair(file: TextFile, error: unknown): Promise<boolean> {
  try {
    process.stderr.write(`${messageOf(error)}\n`);
    const answer = await ask('Type yes to open it again: ');
    return answer.trim().toLowerCase() === 'yes';
  } catch (interruption) {
    if (interruption instanceof InterruptedError) process.stderr.write(`\n${await file.keep()}\n`);
    throw interruption;
  }
}

function messageOf(error: unknown): string {
  return printable(error instanceof Error ? error.message : String(error));
}
