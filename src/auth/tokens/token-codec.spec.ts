import { describe, expect, it } from '@jest/globals';
import type { Config } from '../../config/config.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { TokenCodec } from './token-codec.js';

const codecOf = (tokenSecret: string) => new TokenCodec({ auth: { tokenSecret } } as Config);
const codec = codecOf('a secret of at least thirty-two characters');
const other = codecOf('another one of at least thirty-two letters');

// Sites have tokens and hashes in mails, browsers and databases: what they are must not change with a release.

describe('TokenCodec', () => {
  it('makes the refresh token of a row, which nobody can make without the key', () => {
    const token = codec.refreshTokenOf('4e0d1cf2-35a7-4d0c-93f4-9c35ad4b8b6b');
    expect(token).toBe('lpuq3i2tpcoi');
    expect(codec.isRefreshToken(token)).toBe(true);
    expect(other.refreshTokenOf('4e0d1cf2-35a7-4d0c-93f4-9c35ad4b8b6b')).not.toBe(token);
    expect(codec.refreshTokenOf('4e0d1cf2-35a7-4d0c-93f4-9c35ad4b8b6c')).not.toBe(token);
  });

  it.each(['', 'abcdefghijk', 'abcdefghijklm', 'abcdefghijkL', 'abcdefghijk1', 'x abcdefghijkl', 'abcdefghijkl '])(
    'takes %j for no refresh token',
    (text) => {
      expect(codec.isRefreshToken(text)).toBe(false);
    },
  );

  it('finds tokens by a hash with a key of its own', () => {
    expect(codec.hash('abcdefghijkl')).toBe('54194c96bf606f9c23ce47d26892f10c8dd0b433729345ea65526549018372a4');
    expect(other.hash('abcdefghijkl')).not.toBe(codec.hash('abcdefghijkl'));
  });

  it('has a key of its own in each data folder that lacks one, and keeps it', () => {
    const [here, there] = [temporaryFolder(), temporaryFolder()];
    const hashIn = (dataDir: string) =>
      new TokenCodec({ dataDir, auth: { tokenSecret: 'generated' } } as Config).hash('abcdefghijkl');
    const hashes = [hashIn(here), hashIn(there)];
    expect(new Set(hashes).size).toBe(2);
    expect(hashIn(here)).toBe(hashes[0]);
  });

  it('makes codes of so many digits, with zeros in front', () => {
    expect(codec.codeOf('name', 6)).toBe('903132');
    const codes = Array.from({ length: 200 }, (_, index) => codec.codeOf(`name ${index}`, 4));
    expect(codes.every((code) => /^\d{4}$/.test(code))).toBe(true);
    expect(codes.some((code) => code.startsWith('0'))).toBe(true);
    expect(new Set(codes).size).toBeGreaterThan(180);
  });

  it('favors no digit and no letter', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `row ${index}`);
    const alphabets = { codeOf: '0123456789', refreshTokenOf: 'abcdefghijklmnopqrstuvwxyz234567' } as const;
    for (const [kind, characters] of Object.entries(alphabets)) {
      const texts = names.map((name) => (kind === 'codeOf' ? codec.codeOf(name, 6) : codec.refreshTokenOf(name)));
      const fair = texts.length / characters.length;
      for (const place of Array.from(texts[0] ?? '', (_, index) => index)) {
        for (const character of characters) {
          const count = texts.filter((text) => text[place] === character).length;
          // Six standard deviations.
          expect({ kind, place, character, isFair: Math.abs(count - fair) < 6 * Math.sqrt(fair) }).toMatchObject({
            isFair: true,
          });
        }
      }
    }
  });

  it('makes the token of a link from the address, however it is written, and the code', () => {
    const token = codec.linkToken('Ada@Example.com', '123456');
    expect(token).toBe('24c93c7debf01fbe0d3a3450fb480104537d8b670732cd6ce8413895');
    expect(codec.linkToken('ada@example.com', '123456')).toBe(token);
    expect(codec.linkToken('ada@example.com', '123457')).not.toBe(token);
    expect(codec.linkToken('bob@example.com', '123456')).not.toBe(token);
  });

  it('makes authorization codes that nobody has seen', () => {
    expect(codec.newAuthCode()).toMatch(/^[0-9a-f-]{36}$/);
    expect(codec.newAuthCode()).not.toBe(codec.newAuthCode());
  });
});
