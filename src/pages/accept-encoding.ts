/** How a body can be encoded; `identity` is as it is. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** Our order of preference, for requests without one. */
const OURS: readonly Encoding[] = ['br', 'gzip', 'identity'];
const AS_IT_IS: readonly Encoding[] = ['identity'];

/** Browsers send a handful of different headers, programs may send any number. */
const MAX_REMEMBERED = 100;
const remembered = new Map<string, readonly Encoding[]>();

/**
 * The encodings that a request accepts, best first, never none: who refuses them all gets the body as it is (RFC 9110,
 * section 12.5.3).
 * @param header `Accept-Encoding`
 */
export function acceptedEncodings(header: string | undefined): readonly Encoding[] {
  if (!header) return AS_IT_IS;
  const known = remembered.get(header);
  if (known) return known;
  const accepted = parse(header);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(header, accepted);
  return accepted;
}

function parse(header: string): readonly Encoding[] {
  const weights = new Map(header.split(',').map(parsePart));
  const rest = weights.get('*');
  // Not to be named is no refusal for what is not encoded at all; anything named is liked better.
  const weightOf = (name: Encoding) => weights.get(name) ?? rest ?? (name === 'identity' ? 0.0001 : 0);
  const accepted = OURS.filter((name) => weightOf(name) > 0).sort((one, other) => weightOf(other) - weightOf(one));
  return accepted.length > 0 ? accepted : AS_IT_IS;
}

/** A weight that is none counts as a refusal. */
function parsePart(part: string): [name: string, weight: number] {
  const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
  const value = weight === undefined ? 1 : /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
  return [name === 'x-gzip' ? 'gzip' : name, value];
}
