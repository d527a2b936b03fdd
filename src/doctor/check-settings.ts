import type { Config } from '../config/config.js';
import { describeUntrusted, findForwardingNote } from '../http/forwarding-notes.js';
import { needsSmtpUtf8 } from '../shared/smtp-utf8.js';
import { describeIgnored, examineCompany, toMoment } from '../site/site.service.js';
import { ok, warn, type Statement } from './finding.js';

/**
 * Checks that visitors see the company's own facts and no examples, and that no variable is set in vain.
 * @param content the published setting of the company; an empty object where there is none, or it cannot be read
 */
export function checkSite(config: Config, content: unknown): Statement {
  const moment = toMoment(config, content);
  const { examples, leftOut } = examineCompany(config, moment);
  const left = leftOut.length === 0 ? '' : `; pages leave out what is not set: ${leftOut.join(', ')}`;
  const recipient = describeRecipient(config.contact.to, moment.site.email);
  const rest = left + recipient;
  const ignored = describeIgnored(moment.company);
  // Releases before took such an address.
  if (needsSmtpUtf8(moment.site.email)) {
    return warn(
      `many mail servers refuse mails from and to ${moment.site.email}, as they know no such letters before the @${left}`,
      'Name another address at /admin/company, or with npm run cli -- settings set email.',
    );
  }
  if (examples.length > 0) {
    return warn(
      `these are examples still: ${examples.join(', ')}${rest}${ignored && `; ${ignored}`}`,
      'Say what is true of the company at /admin/company, or with npm run cli -- settings set; settings list names the facts.',
    );
  }
  if (ignored !== '') {
    return warn(
      ignored + recipient,
      'Change the setting (npm run cli -- settings list), or name the variable in SITE_LOCKED, or remove it.',
    );
  }
  return ok(`nothing is left at an example${rest}`);
}

/** People who change the address at /admin/company do not see that a variable says where enquiries go. */
function describeRecipient(recipient: string | null, email: string): string {
  if (recipient === null || recipient.toLowerCase() === email.toLowerCase()) return '';
  return `; enquiries are mailed to ${recipient} (CONTACT_TO), not to ${email}`;
}

/** Checks that the addresses of visitors are known, by which their requests are limited. */
export function checkProxies(config: Config): Statement {
  const { trustedProxies, addressHeader } = config.server;
  const note = findForwardingNote(config);
  if (note !== undefined) {
    const advice = `If that is your proxy: TRUSTED_PROXIES=${note.address} (or its network, or the number of proxies).`;
    return warn(describeUntrusted(note), advice);
  }
  if (addressHeader !== undefined) return ok(`visitors have the address of the header ${addressHeader}`);
  if (typeof trustedProxies === 'number' && trustedProxies > 0) {
    return ok(`visitors have the address that ${trustedProxies} in a row forward`);
  }
  const names = typeof trustedProxies === 'number' ? [] : trustedProxies;
  if (names.length > 0) return ok(`visitors have the address that ${names.join(', ')} forward`);
  return ok('visitors connect by themselves');
}
