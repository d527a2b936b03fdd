import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { INestApplicationContext } from '@nestjs/common';
import { UsersService } from '../../src/auth/admin/users.service.js';
import { demoAdminFile } from '../../src/config/demo.js';
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
  const admin = readOrMakeAdmin(demoAdminFile(dataDir));
  const hasAdmins = (await roles.listAdmins(OPERATOR)).length > 0;
  const known = await users.findByEmailOrId(OPERATOR, admin.email);
  if (hasAdmins && (known === null || !(await roles.isAdmin(known.id)))) return null;
  const { id } = known ?? (await users.createUser(OPERATOR, { ...admin, isConfirmed: true }));
  if (!hasAdmins) await roles.grantAdmin(OPERATOR, id);
  const isUnchanged = await users.hasPassword(OPERATOR, id, admin.password);
  return { email: admin.email, password: isUnchanged ? admin.password : undefined };
}

/**
 * The administrator that a file holds, made where there is none. Half a file, as of a full disk, is none: the account that
 * it was about stays, with a password of its own.
 */
export function readOrMakeAdmin(file: string): KeptAdmin {
  const kept = readAdmin(file);
  if (kept !== null) return kept;
  const admin = { email: 'admin@example.com', password: randomBytes(12).toString('base64url') };
  const draft = `${file}.new`;
  writeFileSync(draft, `${JSON.stringify(admin, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
  return admin;
}

function readAdmin(file: string): KeptAdmin | null {
  if (!existsSync(file)) return null;
  const text = readFileSync(file, 'utf8');
  try {
    const { email, password } = JSON.parse(text) as Partial<KeptAdmin>;
    return typeof email === 'string' && typeof password === 'string' ? { email, password } : null;
  } catch {
    return null;
  }
}
