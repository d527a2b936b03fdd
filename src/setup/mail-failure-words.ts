import { isAboutSender } from '../shared/smtp-refusal.js';

/** The mail that was not sent. */
interface MailFailureContext {
  /** The server of SMTP_URL, with its port. */
  readonly host: string;
  /** TLS from the start, as smtps:// in SMTP_URL says. */
  readonly isEncrypted: boolean;
  readonly sender: string;
  readonly to: string;
}

/** Facts of a failure, from whichever error of the chain has them. */
interface FailureFacts {
  readonly code: string;
  readonly command: string;
  readonly responseCode: number;
  readonly text: string;
}

/** Says what keeps a mail from being sent, and what to change, for somebody who sets the site up. */
export function describeMailFailure(error: unknown, { host, isEncrypted, sender, to }: MailFailureContext): string {
  const { code, command, responseCode, text } = readFacts(error);
  const said = responseCode > 0 ? ` (it answered ${responseCode})` : '';
  // Nobody said that there is no such name.
  if (/EDNS|EAI_AGAIN/.test(code) && /EAI_AGAIN|ETIMEOUT|ESERVFAIL|ECONNREFUSED/.test(`${code} ${text}`)) {
    return `The name in SMTP_URL, ${host}, cannot be looked up: no DNS server answers this machine. Look whether it is online, and which one it asks.`;
  }
  if (/ENOTFOUND|EDNS/.test(code)) {
    return `There is no mail server with the name in SMTP_URL, ${host}. Look for a typing mistake there.`;
  }
  if (/ECONNREFUSED/.test(`${code} ${text}`)) {
    return `Nothing answers at ${host}. The name or the port in SMTP_URL is another one, or the mail server is not running.`;
  }
  if (/certificate|self-signed|self signed|altnames|CERT_/i.test(text) || /CERT|TLS/.test(code)) {
    return `The connection to ${host} cannot be encrypted: ${text}. The name in SMTP_URL has to be the one in the certificate of the mail server.`;
  }
  if (/wrong version number|ssl3|EPROTO/i.test(`${code} ${text}`)) {
    return `The mail server at ${host} does not speak TLS from the start. Write smtp:// instead of smtps:// in SMTP_URL, or use its other port.`;
  }
  if (code === 'EAUTH' || responseCode === 535) {
    return `The mail server does not accept user name and password of SMTP_URL${said}. Special characters in them have to be percent-encoded.`;
  }
  if (command === 'MAIL FROM' || (command === 'RCPT TO' && isAboutSender(text))) {
    return `The mail server takes no mail from ${sender}${said}. Use an address that it knows as the email of the company, or set MAIL_FROM.`;
  }
  if (command === 'RCPT TO') {
    return `The mail server takes no mail to ${to}${said}. It may take mail of its own addresses only, or want a user name and a password in SMTP_URL.`;
  }
  // Such a server waits for TLS, and we for its greeting.
  if (host.endsWith(':465') && !isEncrypted && /ETIMEDOUT|TimeoutError/.test(`${code} ${text}`)) {
    return `The mail server at ${host} says nothing. Port 465 speaks TLS from the start: write smtps:// instead of smtp:// in SMTP_URL.`;
  }
  if (/ETIMEDOUT|ESOCKET|ECONNECTION|AbortError|TimeoutError|EHOSTUNREACH|ENETUNREACH/.test(`${code} ${text}`)) {
    return `The mail server at ${host} does not answer. A firewall may keep this machine from reaching it; many providers close port 25, and 587 works.`;
  }
  return `The mail server at ${host} did not take the mail${said}. The log of the server says more.`;
}

function readFacts(error: unknown): FailureFacts {
  const chain: unknown[] = [];
  for (let next = error; next instanceof Error && chain.length < 5; next = next.cause) chain.push(next);
  const valuesOf = (name: string) => chain.map((each) => (each as Record<string, unknown>)[name]);
  const textOf = (name: string) => valuesOf(name).find((value) => typeof value === 'string') ?? '';
  const last = chain.at(-1);
  return {
    code: textOf('code'),
    command: textOf('command'),
    responseCode: valuesOf('responseCode').find((value) => typeof value === 'number') ?? 0,
    text: last instanceof Error ? `${last.name === 'Error' ? '' : `${last.name} `}${last.message}` : '',
  };
}
