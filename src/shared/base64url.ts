const CANONICAL = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/;

/**
 * Tells whether a text is base64url as encoders write it (RFC 4648, sections 3.5 and 5): no padding, no other
 * characters, and zeros in the bits of the last character that belong to no byte. Decoders take other spellings too,
 * so that a token which was tampered with could still be the same token.
 */
export function isCanonicalBase64url(text: string): boolean {
  return CANONICAL.test(text);
}
