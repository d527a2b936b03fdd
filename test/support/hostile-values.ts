import { scaled } from './fault-scale.js';

/** Values as nobody sends them who means well; what they are is left to chance. */
export interface HostileValues {
  number(below: number): number;
  pick<T>(list: readonly T[]): T;
  isChance(share: number): boolean;
  /** Characters of every plane of Unicode, those that are none, markup, syntax of other languages, or far too much. */
  text(): string;
  /** Any value of JSON, mostly of the wrong type. */
  value(): unknown;
  /** A part of an address, as it is sent. */
  part(): string;
  /** A body as text, which may be no JSON at all. */
  broken(json: string): string;
}

const LARGE = scaled(20_000, 1_100_000);
const SYNTAX = [
  ...[
    "' or 1=1 --",
    '%',
    '_%\\',
    '\\',
    '"',
    '`',
    '${7*7}',
    '{{7*7}}',
    '%s%n',
    '../../etc/passwd',
    'a\r\nset-cookie: b=c',
  ],
  ...[
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    'null',
    'true',
    'NaN',
    '-0',
  ],
  ...['9999999-01-01', '2024-02-30T25:61:61Z', '+275760-09-13T00:00:00.001Z', '0000-00-00', '-000001-01-01T00:00:00Z'],
  ...['00000000-0000-0000-0000-00000000000', 'g0000000-0000-4000-8000-000000000000', '1e309', '0x10', '١٢٣', '1_000'],
  ...[
    'a@b',
    'a@b.c\n',
    '"a b"@c',
    'a@[::1]',
    `${'a'.repeat(300)}@b.co`,
    'http://',
    'https://[::1',
    '/media/../x',
    '//a',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'then',
    '\u202Eabc',
    '\u200b',
    '\ufeff',
    '\u0000',
    '\ud800',
  ],
];
const SCALARS = [null, true, false, 0, -1, 1.5, 2 ** 53, -(2 ** 63), 1e308, '', ' ', [], {}, [[]], [null], { $ne: 1 }];
const PARTS = [
  ...[
    '%',
    '%0',
    '%00',
    '%E0%A4%A',
    '%ED%A0%80',
    '%C0%80',
    '%2e%2e',
    '..',
    '.',
    '%2f',
    '%5c',
    '\\',
    ';a=b',
    '*',
    '%25',
    '%2500',
  ],
  ...[
    '%0d%0aset-cookie:a',
    '%F0%9F%98%80',
    'e%CC%81',
    '\u00ff\u00fe',
    '"<>|^`{}',
    ' '.replace(' ', '+'),
    '~',
    '@',
    ':',
    '=&',
    '__proto__',
  ],
  ...[
    '-1',
    '0',
    '1e3',
    '99999999999999999999',
    '00000000-0000-4000-8000-000000000000',
    'null',
    'undefined',
    'NaN',
    '%u0041',
  ],
];

/** @param random decides everything, so that the same seed makes the same values */
export function hostileValues(random: () => number): HostileValues {
  const number = (below: number) => Math.floor(random() * below);
  const pick = <T>(list: readonly T[]): T => list[number(list.length)] as T;
  const isChance = (share: number) => random() < share;
  const ofPlane = (plane: number) => String.fromCodePoint(plane * 0x1_0000 + number(0x1_0000));
  const characters = () => Array.from({ length: 1 + number(30) }, () => ofPlane(number(17))).join('');
  const text = () => {
    if (isChance(0.4)) return pick(SYNTAX);
    if (isChance(0.03)) return ofPlane(number(17)).repeat(number(LARGE));
    return characters();
  };
  const nested = (depth: number): unknown => {
    let value: unknown = text();
    for (let at = 0; at < depth; at += 1) value = isChance(0.5) ? [value] : { a: value };
    return value;
  };
  const value = (): unknown => {
    const chance = random();
    if (chance < 0.35) return pick(SCALARS);
    if (chance < 0.8) return text();
    if (chance < 0.9) return Array.from({ length: number(20) }, () => pick([pick(SCALARS), text()]));
    if (chance < 0.95) return nested(60 + number(2_000));
    return { [text()]: text(), [pick(SYNTAX)]: pick(SCALARS) };
  };
  const broken = (json: string) => {
    const at = number(json.length + 1);
    return pick([
      () => json.slice(0, at),
      () => json.slice(0, at) + pick(['\0', '\ufffe', '}', '"', '\\u0000', '\\ud800', ',,', '1e999']) + json.slice(at),
      () => `${'['.repeat(number(20_000))}${json}`,
      () => `{"a":`.repeat(5_000) + json + '}'.repeat(5_000),
      () =>
        pick([
          '',
          ' ',
          'null',
          '[]',
          '"x"',
          '1',
          '\ufeff{}',
          '{"__proto__":{"a":1}}',
          '{"constructor":{"prototype":{}}}',
        ]),
      () => `[${json},${json}]`,
    ])();
  };
  const part = () => {
    if (isChance(0.6)) return pick(PARTS);
    if (isChance(0.05)) return 'x'.repeat(number(12_000));
    return encodeURIComponent(characters().replace(/\p{Surrogate}/gu, '')) || '%20';
  };
  return { number, pick, isChance, text, value, part, broken };
}
