import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { UsersService } from '../../src/auth/admin/users.service.js';
import { RolesService } from '../../src/roles/roles.service.js';
import { OPERATOR } from '../../src/shared/actor.js';

/** How to sign in as the administrator of the demo. */
export interface DemoAdmin {
  readonly email: string;
  /** Undefined once somebody has changed it. */
  readonly password: string | undefined;
}

/** The administrator of the demo, kept in the data folder for the next start. */
interface KeptAdmin {
  readonly email: string;
  readonly password: string;
}

/**
 * Makes sure that the demo has an administrator, whose password is kept in the data folder for the next start.
 * @returns the account, or null when other people administer the demo and this account is gone
 */
export async function ensureDemoAdmin(app: INestApplicationContext, dataDir: string): Promise<DemoAdmin | null> {
  const users = app.get(UsersService, { strict: false });
  const roles = app.get(RolesService, { strict: false });
  // Kept before the account is made: one whose password nobody knows would be of no use.
  const admin = readOrMake(join(dataDir, 'demo-admin.json'));
  const hasAdmins = (await roles.listAdmins(OPERATOR)).length > 0;
  const known = await users.findByEmailOrId(OPERATOR, admin.email);
  if (hasAdmins && (known === null || !(await roles.isAdmin(known.id)))) return null;
  const { id } = known ?? (await users.createUser(OPERATOR, { ...admin, isConfirmed: true }));
  if (!hasAdmins) await roles.grantAdmin(OPERATOR, id);
  const isUnchanged = await users.hasPassword(OPERATOR, id, admin.password);
  return { email: admin.email, password: isUnchanged ? admin.password : undefined };
}

function readOrMake(file: string): KeptAdmin {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as KeptAdmin;
  const admin = { email: 'admin@example.com', password: randomBytes(12).toString('base64url') };
  writeFileSync(file, `${JSON.stringify(admin, null, 2)}\n`, { mode: 0o600 });
  return admin;
}
