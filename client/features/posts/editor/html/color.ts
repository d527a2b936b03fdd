const probe = typeof document === 'undefined' ? null : document.createElement('span');

/** A color as the editor holds it: the browser's spelling, `rgb()` as hexadecimal; empty if it is none. */
export function canonicalColor(written: string): string {
  if (probe === null) return written;
  probe.style.color = '';
  probe.style.color = written;
  const [, red, green, blue] = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(probe.style.color) ?? [];
  if (red === undefined) return probe.style.color;
  return `#${[red, green, blue].map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}
