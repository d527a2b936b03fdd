import { timingSafeEqual } from 'node:crypto';

/** Compares a signature that somebody gives with the right one, in a time that tells nothing of where they differ. */
export function isSameSignature(given: string, wanted: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}
