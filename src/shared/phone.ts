/**
 * Returns a telephone number, as people write it, as an address to call (RFC 3966). One without a country is of North
 * America: whoever calls from abroad reaches it too.
 */
export function toTelephoneUri(phone: string): string {
  const [number = '', extension = ''] = phone.split(/\s*(?:extension|ext\.?|x)\s*(?=\d)/i);
  const digits = number.replace(/[^\d+]/g, '').replace(/^(?:00|011)/, '+');
  const national = /^1?(\d{10})$/.exec(digits)?.[1];
  const suffix = extension ? `;ext=${extension.replace(/\D/g, '')}` : '';
  return `tel:${national ? `+1${national}` : digits}${suffix}`;
}
