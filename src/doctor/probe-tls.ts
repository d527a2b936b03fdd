import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect, type ConnectionOptions } from 'node:tls';

const LIMIT_MS = 4000;

/** An offer to a server, and for how long it may take. */
export interface TlsOptions extends ConnectionOptions {
  readonly limitMs?: number;
}

/** TLS 1.0 and 1.1. The level lets this side speak them. */
export const OLD_VERSIONS: TlsOptions = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' };
/** Every cipher of TLS 1.2 but those with forward secrecy that also prove that nothing was changed (RFC 9325). */
export const WEAK_CIPHERS: TlsOptions = {
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
  ciphers:
    'ALL:eNULL:!ECDHE+AESGCM:!ECDHE+AESCCM:!ECDHE+CHACHA20:!ECDHE+ARIAGCM:!DHE+AESGCM:!DHE+AESCCM:!DHE+CHACHA20:' +
    '!DHE+ARIAGCM:@SECLEVEL=0',
};

/** The terms that a server agreed to, and the life of its certificate. */
export interface TlsAnswer {
  readonly protocol: string;
  /** As IANA names it. */
  readonly cipher: string;
  readonly validFrom: Date;
  readonly validTo: Date;
}

/** Thrown where nothing was heard: whether it is there cannot be told from here. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

/**
 * Shakes hands with a server and sends nothing.
 * @throws UnreachableError; any other error says why there is no connection that can be trusted
 */
export async function probeTls(url: URL, { limitMs = LIMIT_MS, ...options }: TlsOptions): Promise<TlsAnswer> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const socket = connect({
    host,
    port: Number(url.port) || 443,
    ...(isIP(host) ? {} : { servername: host }),
    ...options,
  });
  const progress = { isReached: false };
  socket.once('connect', () => (progress.isReached = true));
  const timer = setTimeout(() => {
    socket.destroy(new UnreachableError(`no answer within ${limitMs / 1000} s`));
  }, limitMs);
  try {
    await once(socket, 'secureConnect');
    const { valid_from: from, valid_to: to } = socket.getPeerCertificate();
    const cipher = socket.getCipher().standardName;
    return { protocol: socket.getProtocol() ?? '', cipher, validFrom: new Date(from), validTo: new Date(to) };
  } catch (error) {
    if (progress.isReached || error instanceof UnreachableError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UnreachableError(code ?? message, { cause: error });
  } finally {
    clearTimeout(timer);
    // Says that nobody listens to what may still go wrong.
    socket.on('error', () => undefined).destroy();
  }
}
