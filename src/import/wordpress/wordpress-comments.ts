import type { BroughtComment } from '../../posts/comments/comments.service.js';
import { toPlainText } from '../../posts/content/plain-text.js';
import { cleanLine } from '../../shared/clean-characters.js';
import { parsePostDate } from '../post-date.js';
import type { SourceComments } from '../source-post.js';
import { splitAtCode, unescapeHtml } from '../html-text.js';
import { linkTo } from '../media-links.js';
import { placeCode } from './code-shortcodes.js';
import { placeSmileys } from './smileys.js';
import { addParagraphs } from './wpautop.js';
import { textOf, type XmlElement } from './xml-tree.js';

/** Reason for leaving comments that nobody asked for. */
const NOT_WANTED = 'not asked for (--comments takes them)';
const MAX_NAME = 200;
const MAX_ADDRESS = 1000;
/** States in which everybody, or nobody, could read a comment. */
const states: Readonly<Record<string, string | null>> = {
  '1': null,
  approved: null,
  '0': 'waiting for approval there',
  hold: 'waiting for approval there',
  spam: 'spam',
  trash: 'in the trash there',
  'post-trashed': 'in the trash there',
};

interface Settings {
  readonly timeZone: string;
  readonly isTakingComments?: boolean;
}

/**
 * Reads what readers wrote below a post: those comments that everybody could read there. Mail addresses and IP addresses, which
 * are in the file, are not read at all.
 */
export function readComments(item: XmlElement, settings: Settings): SourceComments | undefined {
  const elements = item.children.filter(({ name }) => name === 'wp:comment');
  if (elements.length === 0 && settings.isTakingComments !== true) return undefined;
  const taken: BroughtComment[] = [];
  const left: Record<string, number> = {};
  const ids = new Set<string>();
  for (const element of elements) {
    const comment = readComment(element, settings);
    const reason =
      typeof comment === 'string' ? comment : ids.has(comment.sourceId) ? 'with the number of another' : null;
    if (reason !== null) left[reason] = (left[reason] ?? 0) + 1;
    else if (typeof comment !== 'string') {
      ids.add(comment.sourceId);
      taken.push(comment);
    }
  }
  return { taken, left };
}

/** The comment, or why it is left. */
function readComment(element: XmlElement, { timeZone, isTakingComments }: Settings): BroughtComment | string {
  const reason = whyLeft(element);
  if (reason !== null) return reason;
  if (isTakingComments !== true) return NOT_WANTED;
  const written = placeCode(textOf(element, 'wp:comment_content'), undefined);
  const html = placeSmileys(addParagraphs(linkAddresses(written)));
  if (toPlainText(html) === '') return 'without text';
  const writtenAt = readDate(element, timeZone);
  if (writtenAt === null) return 'without a date';
  const parent = textOf(element, 'wp:comment_parent');
  return {
    sourceId: textOf(element, 'wp:comment_id'),
    parentId: /^[1-9]\d{0,19}$/.test(parent) ? parent : null,
    author: readName(textOf(element, 'wp:comment_author')),
    authorUrl: readAddress(textOf(element, 'wp:comment_author_url')),
    writtenAt,
    html,
  };
}

const bareAddress = /(?<![\w/@.=-])(?:https?:\/\/|www\.)[^\s<>"'[\]]{1,1000}/gi;

/** Addresses that readers typed as links, as WordPress shows them; mail addresses stay words. */
function linkAddresses(html: string): string {
  if (!/https?:\/\/|www\./i.test(html)) return html;
  let inLink = false;
  const parts = splitAtCode(html).map(({ text, isRaw }) => {
    if (isRaw) return text;
    return text
      .split(/(<[^<>]*>)/)
      .map((part, index) => {
        if (index % 2 === 0) return inLink ? part : part.replace(bareAddress, toLink);
        if (/^<\/?a[\s>]/i.test(part)) inLink = !part.startsWith('</');
        return part;
      })
      .join('');
  });
  return parts.join('');
}

/** An address without what ends its sentence or the brackets around it, which follows the link. */
function toLink(written: string): string {
  const trimmed = written.replace(/(?:[.,;:!?]|&(?:gt|quot|#0?39);)+$/i, '');
  const isBracketed = trimmed.endsWith(')') && !trimmed.includes('(');
  const words = isBracketed ? trimmed.replace(/[).,;:!?]+$/, '') : trimmed;
  const address = unescapeHtml(/^www\./i.test(words) ? `http://${words}` : words).replaceAll('&#038;', '&');
  return URL.canParse(address) ? linkTo(address, unescapeHtml(words)) + written.slice(words.length) : written;
}

function whyLeft(element: XmlElement): string | null {
  const state = textOf(element, 'wp:comment_approved');
  const type = textOf(element, 'wp:comment_type');
  if (/^(?:pingback|trackback)$/.test(type)) return 'pingbacks and trackbacks';
  if (type !== '' && type !== 'comment') return `of the kind '${type.slice(0, 50)}'`;
  const reason = Object.hasOwn(states, state)
    ? states[state]
    : `in the state '${state.slice(0, 50)}', which is not known`;
  if (typeof reason === 'string') return reason;
  return /^\d{1,20}$/.test(textOf(element, 'wp:comment_id')) ? null : 'without a number';
}

function readDate(element: XmlElement, timeZone: string): Date | null {
  const utc = textOf(element, 'wp:comment_date_gmt');
  const local = textOf(element, 'wp:comment_date');
  const written = isDate(utc) ? `${utc} UTC` : isDate(local) ? local : '';
  try {
    return written === '' ? null : parsePostDate(written, timeZone);
  } catch {
    return null;
  }
}

function isDate(text: string): boolean {
  return /^\d{4}-/.test(text) && !text.startsWith('0000');
}

/** Nobody meant to publish their mail address by giving it for a name. */
function readName(written: string): string {
  const name = cleanLine(toPlainText(written), MAX_NAME);
  return /^([^\s@]+)@[^\s@]+\.[^\s@]+$/.exec(name)?.[1] ?? (name === '' ? 'Anonymous' : name);
}

function readAddress(written: string): string | null {
  if (!/^https?:\/\/[^\s<>"@]+$/i.test(written) || written.length > MAX_ADDRESS || !URL.canParse(written)) return null;
  return new URL(written).href;
}
