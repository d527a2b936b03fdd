import { findListProblem } from '../auth/passwords/passwords.service.js';
import type { Config } from '../config/config.js';
import { fail, ok, type Statement } from './finding.js';

/** Checks that new passwords can be looked up in the list of breached ones, where there is one. */
export async function checkPasswords({ auth }: Config): Promise<Statement> {
  const { breachedList } = auth.password;
  if (breachedList === undefined) return ok('no list of breached passwords is configured');
  const problem = await findListProblem(breachedList);
  if (problem === null) return ok(`new passwords are looked up in ${breachedList}`);
  return fail(
    `${breachedList} ${problem}: breached passwords are accepted`,
    'Set AUTH_BREACHED_PASSWORDS to a file with a line for each password, its SHA-1, in ascending order.',
  );
}
