import { randomBytes } from 'node:crypto';
import { toBase32Characters } from '../tokens/base32.js';

/** 80 bits: what clients of the protocol expect. */
const CHARACTERS = 16;

/** Makes a recovery code in the form in which it is hashed: 16 characters of base32. */
export function newRecoveryCode(): string {
  return toBase32Characters(randomBytes(CHARACTERS));
}

/** Reads a code as people write it, in groups and in any case. */
export function readRecoveryCode(typed: string): string {
  return typed.replaceAll(/[\s-]/g, '').toLowerCase();
}

/** Returns true for what may be a recovery code; nothing else is worth a hash. */
export function isRecoveryCode(text: string): boolean {
  return /^[a-z2-7]{16}$/.test(text);
}
