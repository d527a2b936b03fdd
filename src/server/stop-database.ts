import type { OpenDatabase } from '../database/open-database.js';
import type { Steps } from './steps.js';

/** Ends an embedded database, with force toward the end of `limitMs`. */
export function stopDatabase(database: OpenDatabase, steps: Steps, limitMs: number): Promise<void> {
  return steps.run('the embedded PostgreSQL', limitMs, () => database.close(limitMs));
}
