import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { MAIL_JOB_SECONDS, SMTP_STEP_MS, SMTP_VERDICT_MS } from '../../src/config/time-limits.js';
import { ACKNOWLEDGEMENT_QUEUE, ANSWER_QUEUE, ENQUIRY_QUEUE } from '../../src/contact/enquiry-jobs.js';
import { MAIL_QUEUE } from '../../src/mail/mail.service.js';
import type { OutgoingMail } from '../../src/mail/transport/mail-transport.js';
import type { SmtpSilence } from '../../src/mail/transport/smtp-line.js';
import { SmtpTransport } from '../../src/mail/transport/smtp-transport.js';
import { onCleanup } from '../support/cleanup.js';
import { listenOnReservedPort } from '../support/reserved-port.js';
import { itSlow } from '../support/slow-tests.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { until } from '../support/until.js';

const LONG_MS = 3_600_000;
/** Far longer than a step takes on a busy machine. */
const STEP_MS = 4_000;
const PATIENT_IN_THE_END: SmtpSilence = { stepMs: STEP_MS, verdictMs: LONG_MS };

function open(url: string, limits: SmtpSilence): SmtpTransport {
  const transport = new SmtpTransport(url, limits);
  onCleanup(() => transport.close());
  return transport;
}

function send(transport: SmtpTransport, to: string): Promise<void> {
  const from = { name: 'The desk', address: 'desk@it.company' };
  const mail: OutgoingMail = {
    id: to,
    messageId: `<${to}>`,
    from,
    to,
    subject: 'Hello',
    text: 'Hello',
    html: '<p>Hello</p>',
  };
  return transport.send(mail, new AbortController().signal);
}

/** A server that takes connections and says nothing. */
async function startSilentServer(): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => undefined));
  const port = await listenOnReservedPort(server, 0);
  onCleanup(() => void server.close());
  return `smtp://127.0.0.1:${port}`;
}

/** A mail that the server has read, and says nothing about. */
async function sendIntoSilence(sink: SmtpSink, transport: SmtpTransport, to: string) {
  sink.behave('hang', to);
  const state = { isOver: false };
  const sending = send(transport, to).finally(() => (state.isOver = true));
  // It is awaited by the test.
  sending.catch(() => undefined);
  await until(() => sink.offeredIds.includes(`<${to}>`));
  return { sending, state };
}

describe('a mail server that is silent', () => {
  itSlow('about a whole mail is waited for, so that the mail goes out once, and others go out meanwhile', async () => {
    const sink = await startSmtpSink();
    const transport = open(sink.url, PATIENT_IN_THE_END);
    const { sending, state } = await sendIntoSilence(sink, transport, 'scanned@example.com');
    // A step has had its time since.
    const silent = open(await startSilentServer(), PATIENT_IN_THE_END);
    await expect(send(silent, 'nobody@example.com')).rejects.toThrow('ETIMEDOUT CONN');
    await send(transport, 'meanwhile@example.com');
    expect(state.isOver).toBe(false);
    sink.behave('accept', 'scanned@example.com');
    await sending;
    expect(sink.mails.map(({ to }) => to)).toEqual([['meanwhile@example.com'], ['scanned@example.com']]);
  });

  itSlow('before the content is given up at once, on a connection that has waited for long before', async () => {
    const sink = await startSmtpSink();
    const transport = open(sink.url, PATIENT_IN_THE_END);
    await send(transport, 'first@example.com');
    sink.behave('silent', 'next@example.com');
    await expect(send(transport, 'next@example.com')).rejects.toThrow('ETIMEDOUT CONN');
    // The connection that nobody answered on takes no further mail with it.
    await send(transport, 'last@example.com');
    expect(sink.mails.map(({ to }) => to)).toEqual([['first@example.com'], ['last@example.com']]);
  });

  it('about a whole mail is given up in the end, and at once by a process that ends', async () => {
    const sink = await startSmtpSink();
    const transport = open(sink.url, { stepMs: LONG_MS, verdictMs: 100 });
    const { sending } = await sendIntoSilence(sink, transport, 'given-up@example.com');
    await expect(sending).rejects.toThrow('ETIMEDOUT DATA');

    const ending = open(sink.url, PATIENT_IN_THE_END);
    const left = await sendIntoSilence(sink, ending, 'left@example.com');
    ending.close();
    await expect(left.sending).rejects.toThrow('The mail server did not take the mail');
    sink.behave('accept', 'given-up@example.com');
    sink.behave('accept', 'left@example.com');
  });

  it('costs a job less than the time that it has, or the mail would be sent twice at once', () => {
    const queues = [MAIL_QUEUE, ENQUIRY_QUEUE, ANSWER_QUEUE, ACKNOWLEDGEMENT_QUEUE];
    expect(queues.map(({ options }) => options.expireInSeconds)).toEqual(queues.map(() => MAIL_JOB_SECONDS));
    // Name, connection and greeting, EHLO, STARTTLS, EHLO again, AUTH in three steps, MAIL, RCPT and DATA.
    expect(MAIL_JOB_SECONDS * 1000).toBeGreaterThan(11 * SMTP_STEP_MS + SMTP_VERDICT_MS);
  });
});
