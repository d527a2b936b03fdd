import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';
import type { Config } from '../config/config.js';
import { createStorage } from '../uploads/uploads.module.js';
import { describeError, fail, ok, warn, type Statement } from './finding.js';

const TIMEOUTS_MS = { dnsTimeout: 5000, connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 8000 };

/** Stores, reads and removes a file. */
export async function checkStorage({ storage: config }: Config): Promise<Statement> {
  const place =
    config.driver === 'folder' ? config.folder : `bucket ${config.bucket} at ${config.endpoint ?? 'Amazon S3'}`;
  const key = `doctor-${randomBytes(8).toString('hex')}.txt`;
  const content = randomBytes(64);
  const storage = await createStorage(config);
  try {
    await storage.put(key, content, 'text/plain');
    const file = await storage.open(key);
    const found = file && (await buffer(file.stream));
    await storage.delete(key);
    if (!found?.equals(content))
      return fail(`${place} gives back other bytes than it got`, 'Check the disk or the bucket.');
    return ok(`${place}: wrote, read and removed a file`);
  } catch (error) {
    const advice =
      config.driver === 'folder'
        ? `Let the user of the server write ${config.folder}, and see that the disk is not full.`
        : 'Check S3_ENDPOINT, S3_BUCKET and the keys, and what they may do: put, get, list and delete.';
    return fail(describeError(error), advice);
  } finally {
    await storage.close();
  }
}

/** Reaches the mail server and signs in; nothing is sent. */
export async function checkMail({ mail, mode }: Config): Promise<Statement> {
  const { transport } = mail;
  if (transport.kind === 'capture') {
    const sentence = `mails are kept in ${transport.folder}, and none is sent`;
    return mode === 'production' ? warn(sentence, 'Set SMTP_URL, and MAIL_CAPTURE to false.') : ok(sentence);
  }
  const { host } = new URL(transport.url);
  const transporter = createTransport({ url: transport.url, ...TIMEOUTS_MS });
  try {
    await transporter.verify();
    return ok(`${host} answers; mails are from ${mail.from.address ?? 'the address of the company'}`);
  } catch (error) {
    const { code } = error as { code?: string };
    const advice =
      code === 'EAUTH' ? 'Correct user and password in SMTP_URL.' : 'Correct SMTP_URL, or see that the server runs.';
    // Without the words of the server, which may repeat names.
    return fail(`${host} does not take us: ${code ?? describeError(error)}`, advice);
  } finally {
    transporter.close();
  }
}
