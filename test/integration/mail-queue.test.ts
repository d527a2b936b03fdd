import { beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import { MailService } from '../../src/mail/mail.service.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { buildMailJob, mintFromUserId, queueMail } from '../support/mail-jobs.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { until } from '../support/until.js';

let sink: SmtpSink;
let app: TestApp;
let other: TestApp;

const fork = () => app.get(EntityManager).fork();
const enqueue = (em: EntityManager, address: string, redirectTo = 'http://site.test/') =>
  app.get(MailService).enqueue(em, buildMailJob({ userId: address, redirectTo }));

async function stateOf(address: string): Promise<string | undefined> {
  const rows = await fork().execute<{ state: string }[]>("select state from pgboss.job where data->>'userId' = ?", [
    address,
  ]);
  return rows[0]?.state;
}

beforeAll(async () => {
  sink = await startSmtpSink();
  app = await createTestApp({ SMTP_URL: sink.url });
  other = await createTestApp({ SMTP_URL: sink.url, DATABASE_URL: app.environment.DATABASE_URL });
  mintFromUserId(app);
  mintFromUserId(other);
});

describe('the queue of mails', () => {
  it('sends a mail when its cause is committed, and nothing when it is not', async () => {
    const failure = new Error('The cause failed');
    await expect(
      fork().transactional(async (em) => {
        await enqueue(em, 'rolled-back@example.com');
        throw failure;
      }),
    ).rejects.toBe(failure);
    await fork().transactional((em) => enqueue(em, 'committed@example.com'));
    await sink.mailTo('committed@example.com');
    expect(sink.mails.map(({ to }) => to)).toEqual([['committed@example.com']]);
    const [row] = await fork().execute<{ count: string }[]>('select count(*) from pgboss.job');
    expect(Number(row!.count)).toBe(1);
  });

  it('does not take a mail outside of a transaction', async () => {
    await expect(enqueue(fork(), 'nobody@example.com')).rejects.toThrow('must be queued in a transaction');
  });

  it('keeps what a job says, whatever the characters', async () => {
    const redirectTo = `http://site.test/?a='b'&c="d"&e=\\f$1?&g=é☎`;
    await fork().transactional((em) => enqueue(em, 'letters@example.com', redirectTo));
    const { link } = await sink.mailTo('letters@example.com');
    expect(new URL(link!).searchParams.get('redirect_to')).toBe(redirectTo);
  });

  it('sends each mail once, though two processes share the work', async () => {
    const addresses = Array.from({ length: 40 }, (_, index) => `many-${index}@example.com`);
    await fork().transactional(async (em) => {
      for (const address of addresses) await enqueue(em, address);
    });
    await Promise.all(addresses.map((address) => sink.mailTo(address)));
    const received = sink.mails.flatMap(({ to }) => to).filter((address) => address.startsWith('many-'));
    expect(received.sort()).toEqual([...addresses].sort());
  });

  it('sends nothing when nobody wants the mail any more', async () => {
    const before = sink.attempts;
    await queueMail(app, 'gone');
    await until(async () => (await stateOf('gone')) === 'completed');
    expect(sink.attempts).toBe(before);
  });

  it('gives up an address that is none, and one that the mail server does not know', async () => {
    sink.behave('refuse');
    const before = sink.attempts;
    await queueMail(app, 'unknown@example.com');
    await queueMail(app, 'two@example.com, three@example.com');
    await until(async () => (await stateOf('unknown@example.com')) === 'failed');
    await until(async () => (await stateOf('two@example.com, three@example.com')) === 'failed');
    expect(sink.attempts).toBe(before + 1);
    sink.behave('accept');
  });

  it('keeps of a failure what an operator needs, and no address', async () => {
    const [row] = await fork().execute<{ output: object }[]>(
      "select output from pgboss.job where data->>'userId' = 'unknown@example.com'",
    );
    expect(row!.output).toEqual({ message: 'The recipient was refused: EENVELOPE RCPT TO 550' });
  });

  it('gives up no mail that the mail server does not take from this site', async () => {
    sink.behave('deny');
    await queueMail(app, 'denied@example.com');
    await until(async () => (await stateOf('denied@example.com')) === 'retry');
    sink.behave('accept');
  });
});
