import { createInterface } from 'node:readline';
import { InterruptedError } from './exit-codes.js';

/**
 * Asks a person at a terminal for a line; the end of the input (Ctrl+D) is an empty one.
 * @throws InterruptedError at Ctrl+C
 */
export async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('SIGINT', () => reject(new InterruptedError()));
      lines.once('close', () => resolve(''));
      lines.question(question, resolve);
    });
  } finally {
    lines.close();
  }
}
