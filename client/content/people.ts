import type { InvitedPerson, Person } from '../../src/shared/contracts/people.js';
import { formatMoment } from '../lib/format-moment.js';

/** The words of the screen of people. */
export const peopleMessages = {
  title: 'People',
  lede: 'Who works in the admin area, and what they may do there',
  loading: 'Loading people...',
  fetchFailed: { title: 'Error', text: 'Failed to fetch people' },
  inviteTitle: 'Invite somebody',
  inviteFailed: 'Nobody was invited',
  changeFailed: 'Nothing was changed',
  takeBackFailed: 'Nothing was taken back',
  again: 'Send the invitation again',
} as const;

/** The choices of what somebody may do, in words. */
export const rightWords = {
  author: 'Writes posts; an administrator publishes them',
  publisher: 'Writes posts and publishes them',
  admin: 'Administers: everything, people and enquiries too',
} as const;

/** See {@link rightWords}. */
export type Right = keyof typeof rightWords;

/** Returns what somebody may do, as one of the choices. */
export function rightOf({ role, may_publish: mayPublish }: Pick<Person, 'role' | 'may_publish'>): Right {
  if (role === 'admin') return 'admin';
  return mayPublish ? 'publisher' : 'author';
}

/** Returns the role of a choice, as the API takes it. */
export function toRoleInput(right: Right) {
  return right === 'admin'
    ? { role: 'admin', may_publish: true }
    : { role: 'author', may_publish: right === 'publisher' };
}

/** The question before somebody becomes an administrator, or stops being one; null where nothing is to be asked. */
export function questionBefore(person: Person, right: Right): string | null {
  if (right === 'admin') return `Make ${nameOf(person)} an administrator, who may do everything here?`;
  return person.role === 'admin' ? `${nameOf(person)} will no longer be an administrator. Go on?` : null;
}

/** Names somebody. */
export function nameOf({ name, email, id }: Pick<Person, 'name' | 'email' | 'id'>): string {
  return name || email || id;
}

/** Says how long an invitation holds; empty for somebody who has come. */
export function describeEnd({ invited_until: end }: Pick<Person, 'invited_until'>, timeZone: string): string {
  if (end === null) return '';
  const moment = formatMoment(end, timeZone);
  return new Date(end) > new Date() ? `It is good until ${moment}.` : `It ended on ${moment}: send it again.`;
}

/** Says what became of an invitation. */
export function describeInvitation({ outcome, person }: InvitedPerson, timeZone: string): string {
  const name = person.email ?? person.id;
  switch (outcome) {
    case 'invited':
      return `${name} gets a mail with a link to choose a password. ${describeEnd(person, timeZone)} Until they have come, nobody can sign in as them.`;
    case 'granted':
      return `${name} had an account and can begin at once. A mail says so.`;
    case 'unchanged':
      return `${name} has this role already.`;
  }
}

const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;

/** Says which posts somebody has; empty for none. */
export function describePosts({ drafts, scheduled, published }: Person['posts']): string {
  return [
    drafts > 0 ? count(drafts, 'draft', 'drafts') : '',
    scheduled > 0 ? `${scheduled} scheduled` : '',
    published > 0 ? `${published} published` : '',
  ]
    .filter(Boolean)
    .join(', ');
}

/** Says what taking the role back does, one sentence a line. */
export function describeTakingBack(person: Person, isSelf: boolean): string[] {
  const { drafts, scheduled, published } = person.posts;
  if (person.is_invited) return ['The link in the mail no longer works, and the account that it was for is removed.'];
  const receiver = isSelf ? 'the administrator who has been one for longest' : 'you';
  return [
    isSelf
      ? 'You leave the admin area at once.'
      : `${nameOf(person)} leaves the admin area at once. The account stays.`,
    drafts > 0 ? `${count(drafts, 'draft goes', 'drafts go')} to ${receiver}.` : '',
    scheduled > 0
      ? `${count(scheduled, 'scheduled post goes', 'scheduled posts go')} to ${receiver} and will be published as planned.`
      : '',
    published > 0 ? `${count(published, 'published post stays', 'published posts stay')} as readers see it.` : '',
    person.is_of_provider ? 'The sign-in provider gave this role, and may give it again with the next sign-in.' : '',
  ].filter(Boolean);
}
