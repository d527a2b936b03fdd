import { createHash } from 'node:crypto';

/** Posts and files have numbers of so many bytes: large enough to meet once in a million blogs, small enough for every program. */
const BYTES = 5;

/**
 * Gives keys numbers as WordPress has them. They follow from the key, so that a later export gives a post the same
 * one, and an import of it knows the post again.
 */
export class Numbers {
  /** A mark of the key that has a number. */
  private readonly holders = new Map<number, number>();

  of(key: string): number {
    const hash = createHash('sha256').update(key).digest();
    const mark = hash.readUIntBE(BYTES, 6);
    let number = hash.readUIntBE(0, BYTES) + 1;
    while ((this.holders.get(number) ?? mark) !== mark) number += 1;
    this.holders.set(number, mark);
    return number;
  }
}
