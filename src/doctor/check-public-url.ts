import type { Config } from '../config/config.js';
import { fail, ok, warn, type Statement } from './finding.js';
import {
  OLD_VERSIONS,
  probeTls,
  UnreachableError,
  WEAK_CIPHERS,
  type TlsAnswer,
  type TlsOptions,
} from './probe-tls.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const FEW_DAYS = 14;
/** Certificates that live for days only are late when so much of their life is left. */
const LATE_SHARE = 1 / 6;

/** Checks that visitors, mails and feeds can use the public address, and what TLS it speaks. */
export async function checkPublicUrl({ mode, server, site }: Config, options: TlsOptions = {}): Promise<Statement> {
  const url = new URL(server.publicUrl);
  const advice = 'Set PUBLIC_URL to the address that visitors type, such as https://www.example.com.';
  const isLocal = /^(?:localhost|127\.|0\.0\.0\.0|\[::1?\])/.test(url.host);
  // The demo is for this machine.
  const isOpen = mode === 'production' && !site.showsPlaceholders;
  if (isOpen && isLocal) return fail(`${server.publicUrl} is this machine only`, advice);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    return fail(
      `${server.publicUrl} has more than a host`,
      'The site stands at the root: set PUBLIC_URL without a path.',
    );
  }
  if (url.protocol === 'https:') return await checkTls(url, options);
  if (isOpen) {
    return warn(`${server.publicUrl} is not encrypted`, 'Put a proxy with a certificate in front, and use https.');
  }
  return ok(server.publicUrl);
}

async function checkTls(url: URL, options: TlsOptions): Promise<Statement> {
  let answer: TlsAnswer;
  try {
    answer = await probeTls(url, { minVersion: 'TLSv1.2', rejectUnauthorized: true, ...options });
  } catch (error) {
    if (error instanceof UnreachableError) {
      return warn(
        `${url.origin} cannot be reached from here (${error.message}), so its certificate was not looked at`,
        'That may be as it should be: look from a machine outside.',
      );
    }
    const { code, message } = error as NodeJS.ErrnoException;
    return fail(
      `browsers refuse ${url.origin}: ${code ?? message}`,
      'See to the certificate for that name and its chain, and to TLS 1.2 or 1.3, in the proxy.',
    );
  }
  const lax = await Promise.all([
    findTaken(url, { ...options, ...OLD_VERSIONS }),
    findTaken(url, { ...options, ...WEAK_CIPHERS }),
  ]);
  return judge(url, answer, [...new Set(lax.flat())]);
}

function judge({ origin }: URL, { protocol, validFrom, validTo }: TlsAnswer, lax: readonly string[]): Statement {
  const left = validTo.getTime() - Date.now();
  const sentence = `${origin} speaks ${protocol}; its certificate is good for ${Math.floor(left / DAY_MS)} more days`;
  if (left < Math.min(FEW_DAYS * DAY_MS, (validTo.getTime() - validFrom.getTime()) * LATE_SHARE)) {
    return warn(sentence, 'See why the proxy does not renew it: its log, and ports 80 and 443.');
  }
  if (lax.length === 0) return ok(sentence);
  return warn(
    `${sentence}; it also takes ${lax.join(' and ')}`,
    'Let the proxy speak TLS 1.2 and 1.3 only, with ECDHE and AES-GCM or ChaCha20.',
  );
}

/** Finds the cipher that a server takes of an offer that it should refuse, if any. */
async function findTaken(url: URL, options: TlsOptions): Promise<string[]> {
  try {
    const { protocol, cipher } = await probeTls(url, { ...options, rejectUnauthorized: false });
    return [`${cipher} of ${protocol}`];
  } catch {
    return [];
  }
}
