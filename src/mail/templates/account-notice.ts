import type { Site } from '../../shared/contracts/site.js';
import { paths } from '../../shared/paths.js';
import type { AccountEvent, AccountNoticeJob } from '../mail-job.js';
import type { MailContent } from '../transport/mail-transport.js';
import { writeLetter, type Letter } from './letter.js';

type Wording = Pick<Letter, 'title'> & { readonly text: string; readonly facts?: Letter['facts'] };

/** The kinds of second factors in words; another one is called by that name. */
const FACTORS: Readonly<Record<string, string>> = {
  totp: 'authenticator app',
  phone: 'phone',
  webauthn: 'security key',
  passkey: 'passkey',
};

/** The mail that tells administrators what happened to their account. @param address of the account now, if it has one */
export function renderAccountNotice(job: AccountNoticeJob, address: string | null, site: Site): MailContent {
  const { title, text, facts = [] } = describe(job.event, job.formerAddress === undefined ? null : address, site);
  const when = new Date(job.at).toLocaleString('en-US', {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: site.timeZone,
  });
  return writeLetter(
    {
      subject: `${title} (your account at ${site.name})`,
      title,
      paragraphs: [text],
      facts: [...facts, { label: 'When', value: when }],
      ...buttonOf(job, site),
      notes: adviceFor(job.event, site),
    },
    site,
  );
}

/** No button for the former address: nobody can sign in with it. */
function buttonOf({ formerAddress }: AccountNoticeJob, site: Site): Pick<Letter, 'button'> {
  if (formerAddress !== undefined) return {};
  return { button: { label: 'Look at my account', href: `${site.url}${paths.account}` } };
}

/** A role is what somebody else gives: a new password would take nothing back. */
function adviceFor({ kind }: AccountEvent, { phone }: Site): Letter['notes'] {
  if (kind === 'role_granted') {
    return [`Somebody who administers the site gave you this role. If you did not expect it, call ${phone}.`];
  }
  return [
    'If this was you, nothing is to be done.',
    `If it was not, choose a new password now, which signs out every other device, and look at your account. If you cannot get in, call ${phone}.`,
  ];
}

function describe(event: AccountEvent, presentAddress: string | null, { name, accounts }: Site): Wording {
  switch (event.kind) {
    case 'new_device':
      return {
        title: 'New sign-in',
        text: `Someone signed in to your account at ${name} on a device that we do not know.`,
        facts: [
          { label: 'Browser', value: event.browser ?? 'unknown' },
          { label: 'System', value: event.system ?? 'unknown' },
          { label: 'Internet address', value: event.ip },
        ],
      };
    case 'password_changed':
      return { title: 'Your password was changed', text: `Your account at ${name} has a new password.` };
    case 'email_changed':
      return {
        title: 'Your email address was changed',
        text:
          presentAddress === null
            ? `Your account at ${name} has this email address now.`
            : `Your account at ${name} no longer has this email address. It has ${presentAddress} now.`,
      };
    case 'role_granted':
      return {
        title: event.role === 'admin' ? 'You are an administrator now' : 'You can write posts now',
        text:
          event.role === 'admin'
            ? `Your account at ${name} administers the website now. Sign in and choose “Admin” in the menu of your account.`
            : `Your account at ${name} writes posts for its blog now. Sign in and choose “Admin” in the menu of your account.`,
      };
    case 'factor_added':
      return {
        title: `New ${wordFor(event.type)}`,
        text: `Your account at ${name} takes another ${wordFor(event.type)} now.`,
        facts: nameFact(event.name),
      };
    case 'factor_removed':
      return {
        title: `Removed: ${wordFor(event.type)}`,
        text: `Your account at ${name} lost this ${wordFor(event.type)}.`,
        facts: nameFact(event.name),
      };
    case 'identity_linked':
      return {
        title: 'New way to sign in',
        text: `Your account at ${name} can be signed in to with ${wayFor(event.provider, accounts)} now.`,
      };
    case 'identity_unlinked':
      return {
        title: 'A way to sign in was removed',
        text: `Nobody can sign in to your account at ${name} with ${wayFor(event.provider, accounts)} any more.`,
      };
    case 'recovery_codes_created':
      return {
        title: 'New recovery codes',
        text: `Your account at ${name} has new recovery codes. Those from before no longer work.`,
      };
    case 'recovery_codes_removed':
      return { title: 'Recovery codes removed', text: `Your account at ${name} has no recovery codes any more.` };
    case 'recovery_code_used':
      return {
        title: 'A recovery code was used',
        text: `Someone signed in to your account at ${name} with one of your recovery codes.`,
        facts: [{ label: 'Codes left', value: String(event.left) }],
      };
  }
}

function nameFact(name: string): NonNullable<Letter['facts']> {
  return name === '' ? [] : [{ label: 'Name', value: name }];
}

/** An identity in words, by the name of its provider. */
function wayFor(provider: string, { provider: known }: Site['accounts']): string {
  if (provider === 'email') return 'its email address';
  if (provider === 'phone') return 'its phone number';
  return provider === known?.id ? known.name : provider;
}

function wordFor(type: string): string {
  return FACTORS[type] ?? type;
}
