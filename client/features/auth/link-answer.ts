/** Result of a link that the accounts API answered itself, and left in the address. */
export type LinkAnswer = 'expired' | 'refused' | 'half-done';

/**
 * Reads the answer behind the `#` of an address. The words in there are not repeated: anybody could have written them.
 * @returns null when there is no answer, or the answer is a session, which the accounts' client takes up
 */
export function readLinkAnswer(hash: string): LinkAnswer | null {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  if (params.has('error_description') || params.has('error_code'))
    return params.get('error_code') === 'otp_expired' ? 'expired' : 'refused';
  // The first of two confirmations of a new address.
  return params.has('message') && params.has('sb') ? 'half-done' : null;
}

/** Returns true when the state of a navigation holds such a result. */
export function isLinkAnswer(state: unknown): state is { readonly answer: LinkAnswer } {
  return typeof state === 'object' && state !== null && 'answer' in state;
}
