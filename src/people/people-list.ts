import type { EntityManager } from '@mikro-orm/postgresql';
import type { Person } from '../shared/contracts/people.js';
import { ROLES, type Role } from '../shared/contracts/roles.js';

interface PersonRow extends Omit<Person, 'posts' | 'last_sign_in_at' | 'since' | 'role' | 'invited_until'> {
  readonly role: Role;
  readonly last_sign_in_at: Date | string | null;
  readonly since: Date | string;
  readonly invited_at: Date | string | null;
  readonly link_until: Date | string | null;
  readonly drafts: number;
  readonly scheduled: number;
  readonly published: number;
}

/** The first role counts of somebody who has both. */
const PEOPLE = `
  select distinct on (person.id) person.id, person.email,
    coalesce(person.user_metadata ->> 'full_name', '') as name,
    held.role, held.role = 'admin' or held.may_publish as may_publish, held.source is not null as is_of_provider,
    held.created_at as since, person.last_sign_in_at,
    person.invited_at is not null and person.email_confirmed_at is null and person.last_sign_in_at is null as is_invited,
    person.invited_at,
    (select expires_at from auth.one_time_tokens where user_id = person.id and type = 'confirmation') as link_until,
    exists (select from auth.mfa_factors where user_id = person.id and status = 'verified') as has_second_factor,
    posts.drafts, posts.scheduled, posts.published
  from user_roles held
  join auth.users person on person.id = held.user_id and person.deleted_at is null
  cross join lateral (
    select (count(*) filter (where not is_published and scheduled_at is null))::int as drafts,
      (count(*) filter (where not is_published and scheduled_at is not null))::int as scheduled,
      (count(*) filter (where is_published))::int as published
    from blog_posts where owner_id = person.id and deleted_at is null) posts
  where held.role in (${ROLES.map(() => '?').join()})`;

/**
 * Reads who has a role, administrators first, and of each role who has it for longest.
 * @param inviteSeconds how long invitations hold, for those whose mail has not left yet
 * @param id to read this one alone
 */
export async function readPeople(em: EntityManager, inviteSeconds: number, id?: string): Promise<Person[]> {
  const condition = id === undefined ? '' : 'and person.id = ?::uuid';
  const rows = await em.execute<PersonRow[]>(
    `select * from (${PEOPLE} ${condition} order by person.id, held.role) people order by role, since, id`,
    [...ROLES, ...(id === undefined ? [] : [id])],
  );
  return rows.map(({ drafts, scheduled, published, invited_at: invitedAt, link_until: linkUntil, ...row }) => ({
    ...row,
    invited_until: row.is_invited ? toEnd(invitedAt, linkUntil, inviteSeconds) : null,
    since: new Date(row.since).toISOString(),
    last_sign_in_at: row.last_sign_in_at === null ? null : new Date(row.last_sign_in_at).toISOString(),
    posts: { drafts, scheduled, published },
  }));
}

function toEnd(invitedAt: Date | string | null, linkUntil: Date | string | null, seconds: number): string | null {
  if (linkUntil !== null) return new Date(linkUntil).toISOString();
  return invitedAt === null ? null : new Date(new Date(invitedAt).getTime() + seconds * 1000).toISOString();
}
