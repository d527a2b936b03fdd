import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import { InterruptedError } from './exit-codes.js';
import { decodeText } from './read-file.js';

/**
 * A password for a command: asked for twice and not shown at a terminal, otherwise the one line of standard input. It
 * is never an argument, which every process of the machine could read.
 * @throws Error when there is none, it is not in UTF-8, or the two differ; InterruptedError at Ctrl+C
 */
export async function readNewPassword(): Promise<string> {
  if (!process.stdin.isTTY) return onlyLine(decodeText(await buffer(process.stdin), 'the standard input'));
  const password = await askHidden('New password: ');
  if (password === '') throw new Error('No password was given.');
  if ((await askHidden('The same again: ')) !== password) throw new Error('The two passwords differ.');
  return password;
}

function onlyLine(input: string): string {
  const line = input.replace(/\r?\n$/, '');
  if (line === '') throw new Error('No password was given: type it at a terminal, or send it to standard input.');
  if (/[\r\n]/.test(line)) throw new Error('Standard input has several lines: it must be the password alone.');
  return line;
}

/** Asks for a password. Readline echoes input to its output, which is discarded here. */
function askHidden(question: string): Promise<string> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  // Only now: before, the terminal itself would show what a quick person types.
  process.stderr.write(question);
  return new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    lines.once('SIGINT', () => reject(new InterruptedError()));
    lines.once('close', () => reject(new Error('No password was given.')));
  }).finally(() => {
    lines.close();
    process.stderr.write('\n');
  });
}
