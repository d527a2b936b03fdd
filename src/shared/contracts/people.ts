import { IsBoolean, IsEmail, IsIn, MaxLength } from 'class-validator';
import { Documented } from './documented.js';
import { MayBeLeftOut } from './may-be-left-out.js';
import { ROLES, type Role } from './roles.js';

/** The posts of somebody, without the trash. */
export class PersonPosts {
  readonly drafts: number;

  readonly scheduled: number;

  readonly published: number;
}

/** Somebody with a role in the admin area. */
export class Person {
  @Documented({ format: 'uuid' })
  readonly id: string;

  /** Null for accounts without one. */
  readonly email: string | null;

  /** The name that the person gave; empty without one. */
  readonly name: string;

  readonly role: Role;

  /** True for administrators, and for authors who publish their own posts. */
  readonly may_publish: boolean;

  /** True when the sign-in provider gave the role, and gives or takes it again with each sign-in. */
  readonly is_of_provider: boolean;

  /** True when the person was invited and has not come yet. */
  readonly is_invited: boolean;

  /** When the link of the invitation stops working; null for somebody who is not invited, or has come. */
  @Documented({ format: 'date-time' })
  readonly invited_until: string | null;

  readonly has_second_factor: boolean;

  /** Null for somebody who never signed in. */
  @Documented({ format: 'date-time' })
  readonly last_sign_in_at: string | null;

  /** When the role was given. */
  @Documented({ format: 'date-time' })
  readonly since: string;

  readonly posts: PersonPosts;
}

/** A role as it is given. */
export class RoleInput {
  @IsIn(ROLES, { message: `The role is one of ${ROLES.join(', ')}` })
  role: Role;

  /** True for an author who publishes their own posts; says nothing of an administrator. */
  @MayBeLeftOut()
  @IsBoolean({ message: 'may_publish is yes or no' })
  @Documented({ required: false })
  may_publish?: boolean;
}

/** A role in the place of the one that somebody has. */
export class ChangeRoleInput extends RoleInput {
  /** The role that whoever decides has seen: where it is another one meanwhile, nothing is changed. */
  @MayBeLeftOut()
  @IsIn(ROLES, { message: `seen_role is one of ${ROLES.join(', ')}` })
  seen_role?: Role;

  /** Belongs to `seen_role`, as `may_publish` to `role`. */
  @MayBeLeftOut()
  @IsBoolean({ message: 'seen_may_publish is yes or no' })
  seen_may_publish?: boolean;
}

/** Somebody to give a role to, who may have no account yet. */
export class InvitePersonInput extends RoleInput {
  @MaxLength(255, { message: 'The email address is too long' })
  @IsEmail({}, { message: 'Enter an email address, like anna@example.com' })
  email: string;
}

/** The outcome of an invitation. */
export class InvitedPerson {
  /**
   * `invited`: a mail with a link is on its way; `granted`: the account was there and has the role now, which a mail
   * says; `unchanged`: it had this very role.
   */
  readonly outcome: 'invited' | 'granted' | 'unchanged';

  readonly person: Person;
}

/** The posts of somebody whose role was taken back. */
export class TakenBackRole {
  /** Posts that were not published, and are an administrator's now. */
  readonly drafts: number;

  /** Address of that administrator; null when there is none. */
  readonly drafts_to: string | null;

  /** True for an invitation that nobody had accepted: its account is gone as well. */
  readonly is_withdrawn: boolean;
}
