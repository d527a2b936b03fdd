const CHARACTERS = 'abcdefghijklmnopqrstuvwxyz234567';

/** Writes one character of base32 for each byte, made of its low five bits: they are as random as the byte. */
export function toBase32Characters(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => CHARACTERS.charAt(byte & 31)).join('');
}
