/**
 * Returns true for an address with other letters than those of ASCII in front of the @. A header can name it only where
 * every server on the way speaks SMTPUTF8 (RFC 6531); others may refuse the whole mail. Names of hosts have another
 * spelling for such letters.
 */
export function needsSmtpUtf8(address: string): boolean {
  return /[^\x00-\x7f]/.test(address.slice(0, address.lastIndexOf('@')));
}
