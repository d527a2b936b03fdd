import { createInterface } from 'node:readline';
import { InterruptedError } from './exit-codes.js';

/**
 * Asks a person at a terminal; only the word yes agrees, and the end of the input (Ctrl+D) does not.
 * @throws InterruptedError at Ctrl+C; Error where nobody can be asked
 */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error(`${question}\nNobody can be asked here: give --yes if you are sure.`);
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  try {
    const answer = await new Promise<string>((resolve, reject) => {
      lines.once('SIGINT', () => reject(new InterruptedError()));
      lines.once('close', () => resolve(''));
      lines.question(`${question}\nType yes to go on: `, resolve);
    });
    return answer.trim().toLowerCase() === 'yes';
  } finally {
    lines.close();
  }
}
