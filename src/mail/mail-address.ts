/** RFC 5321, section 4.5.3.1. */
const MAX_LENGTH = 254;
const PLAIN_ADDRESS = /^[^\s\x00-\x1f\x7f<>()[\],;:"\\@]+@[^\s\x00-\x1f\x7f<>()[\],;:"\\@]+$/;

/**
 * Returns true for a text that is one address and nothing more: no blanks, line breaks, quotes, commas or brackets,
 * which could add an address or a line to a header.
 */
export function isPlainAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && PLAIN_ADDRESS.test(text);
}
