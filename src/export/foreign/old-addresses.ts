/** Names the addresses at which a post was before: no format has a place for where they lead. */
export function noteOldAddresses(oldPaths: readonly string[]): string[] {
  return oldPaths.length === 0 ? [] : [`has to be redirected to it there: ${oldPaths.join(', ')}`];
}
