/** Decodes the percent escapes of a text; one with escapes that cannot be read comes back as it is. */
export function decodeEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
