import { createInterface } from 'node:readline/promises';

/**
 * Asks a person at a terminal; only the word yes agrees.
 * @throws Error where nobody can be asked
 */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error(`${question}\nNobody can be asked here: give --yes if you are sure.`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(`${question}\nType yes to go on: `);
    return answer.trim().toLowerCase() === 'yes';
  } finally {
    lines.close();
  }
}
