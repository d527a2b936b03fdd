import { readVideoAddress } from '../../shared/video-address.js';
import { escapeHtml } from '../html-text.js';
import { linkTo, videoHtml } from '../media-links.js';
import { readShortcodeAttributes, type ShortcodeAttributes } from '../shortcode-attributes.js';

interface Shortcode extends ShortcodeAttributes {
  readonly name: string;
}

const shortcode = /\{\{[<%]\s{0,9}([\w-]{1,50})(?=[\s>%])([^{}]{0,4000}?)\/?\s{0,9}[>%]\}\}/g;
const attribute = /([\w-]{1,60})=(?:"([^"]*)"|`([^`]*)`|([^\s"`]+))|"([^"]*)"|`([^`]*)`|([^\s"`]+)/g;

/**
 * Replaces the shortcodes that Hugo itself has where their meaning is plain: figures, videos, and links to what is
 * shown elsewhere. All others stay in the text.
 * @param addressOf the address of the post that a reference names; null when there is none
 */
export function resolveShortcodes(text: string, addressOf: (reference: string) => string | null): string {
  if (!/\{\{[<%]/.test(text)) return text;
  return text.replace(shortcode, (written, name: string, rest: string) => {
    return render({ name, ...readShortcodeAttributes(rest, attribute) }, addressOf) ?? written;
  });
}

function render({ name, attributes, values }: Shortcode, addressOf: (reference: string) => string | null) {
  const [first = '', second = ''] = values;
  switch (name) {
    case 'figure':
      return renderFigure(attributes);
    case 'ref':
    case 'relref':
      return addressOf(attributes.get('path') ?? first);
    case 'youtube':
      return renderVideo(`https://www.youtube.com/watch?v=${attributes.get('id') ?? first}`);
    case 'vimeo':
      return renderVideo(`https://vimeo.com/${attributes.get('id') ?? first}`);
    case 'gist':
      return isWord(first) && isWord(second) ? renderLink(`https://gist.github.com/${first}/${second}`) : null;
    case 'tweet':
    case 'x': {
      const [user = '', id = ''] = [attributes.get('user'), attributes.get('id')];
      return isWord(user) && isWord(id) ? renderLink(`https://x.com/${user}/status/${id}`) : null;
    }
    default:
      return null;
  }
}

function renderFigure(attributes: ReadonlyMap<string, string>): string | null {
  const source = attributes.get('src');
  if (source === undefined) return null;
  const words = [attributes.get('title'), attributes.get('caption')].filter((part) => part !== undefined);
  const caption = words.length > 0 ? `<figcaption>${escapeHtml(words.join(' '))}</figcaption>` : '';
  const image = `<img src="${escapeHtml(source)}" alt="${escapeHtml(attributes.get('alt') ?? '')}">`;
  const link = attributes.get('link');
  const picture = link === undefined ? image : `<a href="${escapeHtml(link)}">${image}</a>`;
  return `<figure>${picture}${caption}</figure>`;
}

function renderVideo(address: string): string | null {
  return readVideoAddress(address) === null ? null : videoHtml(address);
}

function renderLink(address: string): string {
  return linkTo(address, address);
}

function isWord(text: string): boolean {
  return /^[\w-]{1,60}$/.test(text);
}
