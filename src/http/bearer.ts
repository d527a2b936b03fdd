/**
 * The token of an Authorization header; the scheme is compared without regard to case (RFC 9110, section 11.1). White
 * space but the one space between them, which encoders write, makes it none.
 */
export function bearerOf(header: string | undefined): string | null {
  return /^bearer (\S+)$/i.exec(header ?? '')?.[1] ?? null;
}
