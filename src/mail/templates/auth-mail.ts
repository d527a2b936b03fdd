import type { Site } from '../../shared/contracts/site.js';
import type { AuthMailAction, AuthMailJob, MintedToken } from '../mail-job.js';
import type { MailContent } from '../transport/mail-transport.js';
import { authMailLink } from './auth-mail-link.js';
import { describeDuration } from './duration.js';
import { writeLetter } from './letter.js';

/** The texts in which one mail of an account differs from another. */
interface Wording {
  readonly subject: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** None where a code is all there is. */
  readonly button?: string;
  /** Advice for somebody who did not ask for the mail. */
  readonly unasked: string;
}

type Invitation = NonNullable<MintedToken['invitation']>;

const IGNORE = 'If you did not ask for this, ignore this mail: nothing happens without you.';

const WORDINGS: Readonly<Record<AuthMailAction, (site: Site, job: AuthMailJob, token: MintedToken) => Wording>> = {
  signup: ({ name }) => ({
    subject: `Confirm your email address for ${name}`,
    title: 'Confirm your email address',
    paragraphs: [
      `Someone, hopefully you, created an account at ${name} with this address.`,
      'Confirm that it is yours, and you can sign in.',
    ],
    button: 'Confirm my address',
    unasked: IGNORE,
  }),
  recovery: ({ name }) => ({
    subject: `Choose a new password for ${name}`,
    title: 'Choose a new password',
    paragraphs: [`You said that you forgot your password at ${name}. Choose a new one here.`],
    button: 'Choose a new password',
    unasked: 'If you did not ask for this, ignore this mail: your password stays as it is.',
  }),
  magiclink: ({ name }) => ({
    subject: `Sign in to ${name}`,
    title: 'Sign in',
    paragraphs: [`Here is your way into your account at ${name}, without a password.`],
    button: 'Sign in',
    unasked: IGNORE,
  }),
  invite: ({ name }, _job, { invitation }) => ({
    subject: `Your invitation to ${name}`,
    title: 'You are invited',
    paragraphs: describeInvitation(name, invitation),
    button: 'Accept the invitation',
    unasked: 'If you do not know what this is about, ignore this mail: nothing happens without you.',
  }),
  email_change: (site, job, token) => (job.to === 'new' ? newAddressWording(site) : presentAddressWording(site, token)),
  reauthentication: ({ name, phone }) => ({
    subject: `Your code for ${name}`,
    title: 'Confirm that it is you',
    paragraphs: [`Type this code in at ${name} to go on with what you are changing.`],
    unasked: `If you did not ask for this, someone else may be signed in as you: change your password, or call ${phone}.`,
  }),
};

/** Says who invites and to do what: a mail that names neither looks like one of a swindler. */
function describeInvitation(name: string, { by = null, standing = null }: Partial<Invitation> = {}): string[] {
  if (standing === null) {
    const host = by === null ? `${name} has` : `${by} has`;
    const place = by === null ? '' : ` at ${name}`;
    return [`${host} prepared an account for you${place}. Accept the invitation and choose a password to use it.`];
  }
  return [
    `${by ?? name} invites you to the website of ${name}: you are to ${describeRole(standing)}.`,
    'Accept the invitation and choose a password.',
  ];
}

function describeRole({ role, mayPublish }: NonNullable<Invitation['standing']>): string {
  if (role === 'admin') return 'administer it, with its texts, enquiries and people';
  return mayPublish
    ? 'write posts for its blog and publish them'
    : 'write posts for its blog; an administrator publishes them';
}

function newAddressWording({ name }: Site): Wording {
  return {
    subject: `Confirm your new email address for ${name}`,
    title: 'Confirm your new email address',
    paragraphs: [`An account at ${name} is to use this address from now on. Confirm that it is yours.`],
    button: 'Confirm my new address',
    unasked: IGNORE,
  };
}

/** The owner of the present address must be able to tell a theft of the account, and to stop it. */
function presentAddressWording({ name, phone }: Site, { newAddress }: MintedToken): Wording {
  const change = newAddress ? ` to ${newAddress}` : '';
  return {
    subject: `Confirm the change of your email address for ${name}`,
    title: 'Confirm the change of your address',
    paragraphs: [`The email address of your account at ${name} is to be changed${change}. Confirm that you want this.`],
    button: 'Confirm the change',
    unasked: `If you did not ask for this, do not confirm it: change your password, or call ${phone}.`,
  };
}

/** The mail of an account, with link and code. */
export function renderAuthMail(job: AuthMailJob, token: MintedToken, site: Site): MailContent {
  const { button, unasked, ...words } = WORDINGS[job.action](site, job, token);
  const validity = describeDuration(token.validForSeconds);
  const link = { label: button ?? '', href: authMailLink(token, site) };
  return writeLetter(
    {
      ...words,
      ...(button ? { button: link } : {}),
      code: { label: button ? 'Or type in this code:' : 'Your code:', value: token.otp },
      notes: [
        button ? `Link and code hold for ${validity} and work once.` : `The code holds for ${validity} and works once.`,
        unasked,
      ],
    },
    site,
  );
}
