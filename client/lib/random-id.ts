/** A random UUID (RFC 9562, version 4), also where `crypto.randomUUID` is missing: on pages without TLS. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = [...bytes].map((byte, index) => {
    if (index === 6) return ((byte & 0x0f) | 0x40).toString(16).padStart(2, '0');
    return (index === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0');
  });
  const hex = digits.join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
