import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { lintSource } from '@secretlint/core';
import { creator as recommended } from '@secretlint/secretlint-rule-preset-recommend';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Finding {
  readonly path: string;
  readonly secret: string;
}

const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: recommended }] };
/** Secrets of this product that the library does not know: signed tokens, and private or symmetric keys as JWK. */
const OWN = [/\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/g, /\\?"(?:d|k)\\?"\s*:\s*\\?"[\w-]{40,}\\?"/g];
/** Files that hold secrets by their purpose, whatever is in them. */
const SECRET_FILE =
  /(?:^|\/)(?:\.env(?!\.example$)[^/]*|auth-keys\.json|id_(?:rsa|ecdsa|ed25519)|[^/]+\.(?:pem|key|p12|pfx))$/;

/** Made up for a test or an example, each at its one place; without `scheme://`, or this list would be found too. */
const ALLOWED: readonly (Finding & { readonly reason: string })[] = [
  {
    path: 'src/config/config.spec.ts',
    secret: 'root:hunter2@localhost',
    reason: 'shows that no message repeats a password; nobody listens there',
  },
  {
    path: 'src/config/config.spec.ts',
    secret: 'site:what?@db/site',
    reason: 'shows what is said of an address that cannot be read; nobody listens there',
  },
  {
    path: 'src/config/config.spec.ts',
    secret: 'site:9f#Qk@db/site',
    reason: 'shows what is said of an address that cannot be read; nobody listens there',
  },
  {
    path: 'src/config/config.spec.ts',
    secret: 'site:9f%2FQk+2w@db:5432/site',
    reason: 'shows what is said of an address that cannot be read; nobody listens there',
  },
  {
    path: 'src/config/config.spec.ts',
    secret: 'site:a%FFb@db/site',
    reason: 'shows which escapes an address may have; nobody listens there',
  },
  {
    path: 'src/config/config.spec.ts',
    secret: 'site:a%C3%A4b@db/site',
    reason: 'shows which escapes an address may have; nobody listens there',
  },
  {
    path: 'src/config/config.spec.ts',
    secret: 'site:50%off@db/site',
    reason: 'shows which escapes an address may have; nobody listens there',
  },
  {
    path: 'src/config/config.spec.ts',
    secret: 'site:50%25ff@db/site',
    reason: 'shows which escapes an address may have; nobody listens there',
  },
  {
    path: 'src/config/secret-files.spec.ts',
    secret: 'site:p%20w@db/site',
    reason: 'is read from a file of the test; nobody listens there',
  },
  {
    path: 'src/config/secret-files.spec.ts',
    secret: 'root:hunter2@db',
    reason: 'shows that no message repeats a password; nobody listens there',
  },
  {
    path: 'src/redirects/redirect-address.spec.ts',
    secret: 'user:secret@other.example.com',
    reason: 'is refused, as it has a password',
  },
  {
    path: 'test/cli/db.test.ts',
    secret: 'nobody:nothing@127.0.0.1:1/none',
    reason: 'is a database that cannot be reached',
  },
  {
    path: 'test/cli/posts.test.ts',
    secret: 'nobody:nothing@127.0.0.1:1/none',
    reason: 'is a database that cannot be reached',
  },
  {
    path: 'test/integration/doctor.test.ts',
    secret: 'me:secret-word@${NOWHERE}/site',
    reason: 'shows that no finding repeats a password',
  },
  {
    path: 'test/integration/operations-files.test.ts',
    secret: 'site:CHOOSE_ONE@database:5432/site',
    reason: 'is what the example of the operations page says',
  },
];

const trackedFiles = (folder: string): string[] =>
  execFileSync('git', ['ls-files', '-z'], { cwd: folder, encoding: 'utf8' }).split('\0').filter(Boolean);

/** Returns the secrets in the files that git tracks in a folder, as they stand there now. */
async function findSecrets(folder: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const path of trackedFiles(folder)) {
    const filePath = join(folder, path);
    if (SECRET_FILE.test(path)) findings.push({ path, secret: 'the file' });
    // Deleted since, or a link to another file.
    if (!lstatSync(filePath, { throwIfNoEntry: false })?.isFile()) continue;
    const bytes = readFileSync(filePath);
    if (bytes.includes(0)) continue;
    const content = bytes.toString();
    const source = { filePath, content, ext: extname(path), contentType: 'text' as const };
    const { messages } = await lintSource({ source, options: { config } });
    const known = messages.map(({ range: [start, end] }) => content.slice(start, end));
    const own = OWN.flatMap((pattern) => content.match(pattern) ?? []);
    findings.push(...[...known, ...own].map((secret) => ({ path, secret })));
  }
  return findings;
}

/** Makes a repository of these files, and returns its folder. */
function makeRepository(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  execFileSync('git', ['add', '--force', '.'], { cwd: folder });
  return folder;
}

const PEM = {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const;
/** Letters and digits that look drawn by lot, and are the same every time. */
const odd = (length: number) => createHash('sha512').update(`secret ${length}`).digest('hex').slice(0, length);

describe('the repository', () => {
  it('holds no secrets', async () => {
    const findings = await findSecrets(process.cwd());
    const isSame = (allowed: Finding, { path, secret }: Finding) =>
      path === allowed.path && secret.split('://')[1]?.startsWith(allowed.secret);

    expect(trackedFiles(process.cwd()).length).toBeGreaterThan(1000);
    expect(findings.filter((finding) => !ALLOWED.some((allowed) => isSame(allowed, finding)))).toEqual([]);
    expect(ALLOWED.filter((allowed) => !findings.some((finding) => isSame(allowed, finding)))).toEqual([]);
  });

  it.each([
    ['a private key', () => generateKeyPairSync('rsa', PEM).privateKey],
    ['the access key of a bucket', () => `S3_ACCESS_KEY_ID=AKIA${'Q3EGWZJ7N4XKPD2M'}\nS3_SECRET_ACCESS_KEY=${odd(40)}`],
    ['the address of a database with its password', () => `DATABASE_URL=postgresql://site:${odd(12)}@db.internal/site`],
    ['a token of GitHub', () => `token: ghp_${odd(36)}`],
    [
      'a signing key of the product',
      () => JSON.stringify(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })),
    ],
    ['an access token of the product', () => `eyJ${odd(30)}.eyJ${odd(80)}.${odd(86)}`],
  ])('would be found with %s', async (_name, make) => {
    const folder = makeRepository({ 'notes.md': `# Notes\n\n${make()}\n`, 'plain.md': '# Nothing\n' });
    const findings = await findSecrets(folder);
    expect(new Set(findings.map(({ path }) => path))).toEqual(new Set(['notes.md']));
  });

  it.each(['.env', '.env.production', 'auth-keys.json', 'id_ed25519', 'site.pem', 'tls.key'])(
    'would be found with a file %s',
    async (name) => {
      const folder = makeRepository({ [name]: 'harmless', '.env.example': 'PORT=3000' });
      expect(await findSecrets(folder)).toEqual([{ path: name, secret: 'the file' }]);
    },
  );
});
