import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
/** The code that runs in production. */
const sources = globSync('{src,client,migrations,cli}/**/*.{ts,tsx,mjs}', { cwd: root })
  .filter((path) => !/\.spec\.tsx?$|^cli\/tools\//.test(path))
  .map((path) => ({ path, code: readFileSync(join(root, path), 'utf8') }));

/** The distinct texts that a group of a pattern matches. */
const find = (pattern: RegExp) =>
  [...new Set(sources.flatMap(({ code }) => [...code.matchAll(pattern)].map((match) => match[1]!)))].sort();
const findFiles = (pattern: RegExp) => sources.filter(({ code }) => pattern.test(code)).map(({ path }) => path);

describe('the code of production', () => {
  it('is looked at', () => {
    expect(sources.length).toBeGreaterThan(400);
  });

  it('starts programs with lists of arguments, and never a shell', () => {
    const imported = find(/import \{([^}]+)\} from 'node:child_process'/g).flatMap((names) => names.split(','));
    const functions = imported.map((name) => name.trim()).filter((name) => /^[a-z]/.test(name));
    expect([...new Set(functions)].filter((name) => !/^(?:type \w+|spawn|fork)$/.test(name))).toEqual([]);
    expect(findFiles(/\bshell: (?:true|['"]\/)/)).toEqual([]);
    expect(findFiles(/child_process'\)|\* as \w+ from '(?:node:)?child_process'/)).toEqual([]);
  });

  it('takes its cryptography from Node and from known libraries', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const named = Object.keys(dependencies).filter(
      (name) => /crypt|argon|cipher|hash|jose|jwt|sign|nacl|otp|webauthn/.test(name) && !name.startsWith('@types/'),
    );
    expect(named.sort()).toEqual([
      '@nestjs/jwt',
      '@node-rs/argon2',
      '@simplewebauthn/server',
      'bcryptjs',
      'jose',
      'otpauth',
      'passport-jwt',
    ]);
    expect(find(/from '((?:node:)?crypto)'/g)).toEqual(['node:crypto']);
  });

  it('hashes with approved functions only', () => {
    const named = find(/\b(?:createHash|createHmac|hkdfSync|hash)\(\s*'([^']+)'/g);
    // Lists of breached passwords are made of it; nothing is kept by it or relies on it.
    expect(named.filter((name) => !/^sha(?:224|256|384|512)$/.test(name))).toEqual(['sha1']);
    expect(findFiles(/'sha1'/)).toEqual(['src/auth/passwords/breached-passwords.ts']);
    // Algorithms are never told by a variable.
    expect(findFiles(/\bcreate(?:Hash|Hmac)\((?!\s*')/)).toEqual([]);
    expect(find(/digest\('(SHA-1|MD5)'/gi)).toEqual([]);
  });

  it('draws nothing secret from a generator that can be foretold', () => {
    // Both decide when old rows are cleared.
    expect(
      findFiles(/Math\.random\(/)
        .filter((path) => path.startsWith('src/'))
        .sort(),
    ).toEqual(['src/auth/guesses/attempts.service.ts', 'src/http/rate-limits/rate-limits.service.ts']);
  });
});
