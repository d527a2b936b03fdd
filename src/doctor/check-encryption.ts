import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import pg from 'pg';
import type { Config } from '../config/config.js';
import { ok, warn, type Statement } from './finding.js';

const OWN_RANGES: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal']);

/** A way to another machine, as its variable states it. */
interface Way {
  readonly variable: string;
  /** A name, an address, or the folder of a socket. */
  readonly host: string;
  readonly isEncrypted: boolean;
  /** The other side has to prove who it is. */
  readonly isVerified: boolean;
  readonly advice: string;
}

/** Checks that nothing goes through networks of others unless it is encrypted, to a machine that proved who it is. */
export async function checkEncryption(config: Config): Promise<Statement> {
  const ways = [...findDatabaseWays(config), ...findMailWays(config), ...findStorageWays(config)];
  const open = ways.filter(({ isEncrypted, isVerified }) => !isEncrypted || !isVerified);
  const isOwn = await Promise.all(open.map(({ host }) => isInOwnNetwork(host)));
  const risky = open.filter((_, index) => !isOwn[index]);
  if (risky.length === 0) return ok('nothing goes through networks of others without TLS and a certificate');
  const sentences = risky.map(({ variable, host, isEncrypted }) =>
    isEncrypted
      ? `${variable} does not check the certificate of ${host}`
      : `${variable} does not make sure that the way to ${host} is encrypted`,
  );
  return warn(sentences.join('; '), [...new Set(risky.map(({ advice }) => advice))].join(' '));
}

function findDatabaseWays({ database }: Config): Way[] {
  return (['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const).flatMap((variable) => {
    const url = variable === 'DATABASE_URL' ? database.url : database.directUrl;
    if (url === undefined || url === 'embedded') return [];
    // As the driver reads it, which knows variables of its own too.
    const { host, ssl } = new pg.Client({ connectionString: url }) as { host: string; ssl: pg.ClientConfig['ssl'] };
    const isLax = typeof ssl === 'object' && (ssl.rejectUnauthorized === false || 'checkServerIdentity' in ssl);
    const advice = `Append ?sslmode=verify-full to ${variable}.`;
    return [{ variable, host, isEncrypted: Boolean(ssl), isVerified: !isLax, advice }];
  });
}

function findMailWays({ mail: { transport } }: Config): Way[] {
  if (transport.kind === 'capture') return [];
  const { protocol, hostname, searchParams } = new URL(transport.url);
  const isEncrypted = protocol === 'smtps:' || searchParams.get('requireTLS') === 'true';
  const isVerified = searchParams.get('tls.rejectUnauthorized') !== 'false';
  const advice = 'Use smtps:// in SMTP_URL, or append ?requireTLS=true, and no tls.rejectUnauthorized.';
  return [{ variable: 'SMTP_URL', host: hostname, isEncrypted, isVerified, advice }];
}

function findStorageWays({ storage }: Config): Way[] {
  if (storage.driver === 'folder' || storage.endpoint === undefined) return [];
  const { protocol, hostname } = new URL(storage.endpoint);
  const advice = 'Use https:// in S3_ENDPOINT.';
  return [{ variable: 'S3_ENDPOINT', host: hostname, isEncrypted: protocol === 'https:', isVerified: true, advice }];
}

/** A socket, this machine, or a network that addresses of the internet do not lead through. */
async function isInOwnNetwork(host: string): Promise<boolean> {
  if (host.startsWith('/')) return true;
  const literal = host.replace(/^\[|\]$/g, '');
  try {
    const addresses = isIP(literal) ? [literal] : (await lookup(literal, { all: true })).map(({ address }) => address);
    return addresses.every((address) => OWN_RANGES.has(ipaddr.process(address).range()));
  } catch {
    // A name that is not known here may be anywhere.
    return false;
  }
}
