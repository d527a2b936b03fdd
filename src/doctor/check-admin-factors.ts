import type { Config } from '../config/config.js';
import type { ConnectedDatabase } from '../database/direct-connection.js';
import { ok, warn, type Statement } from './finding.js';

/** Names administrators and authors whom the admin area does not let in before they add a second factor. */
export async function checkAdminFactors({ client }: ConnectedDatabase, { auth }: Config): Promise<Statement> {
  if (!auth.mfa.isRequiredOfAdmins) return ok('administrators need no second factor (AUTH_REQUIRE_ADMIN_MFA)');
  const { rows } = await client.query<{ name: string }>(
    `select distinct coalesce(users.email, users.id::text) as name
     from user_roles join auth.users on users.id = user_roles.user_id
     where user_roles.role in ('admin', 'author') and not exists (
       select from auth.mfa_factors where mfa_factors.user_id = users.id and status = 'verified')
     order by name`,
  );
  if (rows.length === 0) return ok('everybody with a role has a second factor');
  return warn(
    `administrators or authors without a second factor: ${rows.map(({ name }) => name).join(', ')}`,
    'The admin area leads them to /account, where they add one. Until then it is closed to them.',
  );
}
