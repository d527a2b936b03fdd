import { ask } from './ask.js';

/**
 * Asks a person at a terminal; only the word yes agrees, and the end of the input (Ctrl+D) does not.
 * @throws InterruptedError at Ctrl+C; Error where nobody can be asked
 */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error(`${question}\nNobody can be asked here: give --yes if you are sure.`);
  const answer = await ask(`${question}\nType yes to go on: `);
  return answer.trim().toLowerCase() === 'yes';
}
