import { UsersService, type UserAccount } from '../src/auth/admin/users.service.js';
import { OPERATOR } from '../src/shared/actor.js';
import type { CliContext } from './context.js';

/** The account of that address or id. @throws Error when there is none */
export async function findUser(context: CliContext, emailOrId: string): Promise<UserAccount> {
  const user = await context.get(UsersService).findByEmailOrId(OPERATOR, emailOrId);
  if (user === null) throw new Error(`There is no user ${emailOrId}.`);
  return user;
}

/** Returns the address of an account, or its id if it has none. */
export function nameOf(user: Pick<UserAccount, 'id' | 'email'>): string {
  return user.email ?? user.id;
}
