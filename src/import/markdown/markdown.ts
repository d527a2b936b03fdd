import { Parser } from 'htmlparser2';

/** An `<img>` in HTML. */
export interface ImageTag {
  readonly start: number;
  /** One past the last character. */
  readonly end: number;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The images of an HTML text, in order; those in comments and scripts are none. */
export function findImageTags(html: string): ImageTag[] {
  const tags: ImageTag[] = [];
  if (!/<im(?:g|age)/i.test(html)) return tags;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'img') tags.push({ start: parser.startIndex, end: parser.endIndex + 1, attributes });
    },
  });
  parser.end(html);
  return tags;
}

/** The HTML with other addresses in its images; null takes the image out. */
export function replaceImages(html: string, tags: readonly ImageTag[], sources: readonly (string | null)[]): string {
  let result = '';
  let at = 0;
  tags.forEach((tag, index) => {
    result += html.slice(at, tag.start) + toTag(tag, sources[index] ?? null);
    at = tag.end;
  });
  return result + html.slice(at);
}

function toTag({ attributes }: ImageTag, source: string | null): string {
  if (source === null) return '';
  // The role tells decoration from a picture that nobody has described yet.
  const { alt = '', role, width, height } = attributes;
  const pairs = Object.entries({ src: source, alt, role, width, height }).filter(([, value]) => value !== undefined);
  return `<img ${pairs.map(([name, value]) => `${name}="${escapeQuotes(String(value))}"`).join(' ')}>`;
}

function escapeQuotes(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
