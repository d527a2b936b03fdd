import type { KeyboardEvent } from 'react';

/**
 * Returns true for a key that chooses the letters of a word, as in Japanese or Chinese, and means nothing else. Safari
 * sends the one that ends this after its end, with a code that says so.
 */
export function isComposing({ nativeEvent: { isComposing: isUnderWay, keyCode } }: KeyboardEvent): boolean {
  return isUnderWay || keyCode === 229;
}
