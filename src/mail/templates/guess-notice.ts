import type { Site } from '../../shared/contracts/site.js';
import { paths } from '../../shared/paths.js';
import type { MailContent } from '../transport/mail-transport.js';
import { writeLetter } from './letter.js';

/** The mail that tells the owner of an account that somebody tries passwords or codes. */
export function renderGuessNotice(site: Site): MailContent {
  return writeLetter(
    {
      subject: `Someone is guessing the password of your account at ${site.name}`,
      title: 'Wrong passwords or codes for your account',
      paragraphs: [
        `In the last 24 hours, many wrong passwords or codes were tried for your account at ${site.name}. None of them let anyone in.`,
        'You don’t need to do anything. We take fewer and fewer guesses, and you stay signed in where you are. If we ask you to wait when you sign in on another device, choose a new password: that lets you in at once.',
      ],
      button: { label: 'Choose a new password', href: `${site.url}${paths.authRecover}` },
      notes: [
        'If it was you who mistyped, all is well. We write about this once a day at most.',
        `If you use the same password anywhere else, choose another one here, or call ${site.phone}.`,
      ],
    },
    site,
  );
}
