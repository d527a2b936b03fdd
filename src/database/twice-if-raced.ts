import {
  DeadlockException,
  ForeignKeyConstraintViolationException,
  UniqueConstraintViolationException,
} from '@mikro-orm/core';

const RACES = [UniqueConstraintViolationException, DeadlockException, ForeignKeyConstraintViolationException];

/**
 * Runs a change again if another one was in its way, and so answers as if it had come after it: it finds what the other
 * one has made, such as the row of a unique address, or misses what the other one has deleted, such as the account that
 * it was to name; and if both waited for each other, the other one is done by then.
 * @param change a whole transaction, of which nothing is left when it fails
 */
export async function twiceIfRaced<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!RACES.some((race) => error instanceof race)) throw error;
    return await change();
  }
}
