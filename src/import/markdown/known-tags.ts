import { markdownToHtml } from '../../shared/markdown-to-html.js';
import { readVideoAddress } from '../../shared/video-address.js';
import { linkTo, playerHtml, playerKindOf, videoHtml, type PlayerKind } from '../media-links.js';
import { escapeValue, type TagArguments } from '../shortcode-rules.js';
import type { WrittenTag } from './written-tags.js';

/** The post and its site, as far as tags need them. */
export interface TagContext {
  /** The address of the post that a reference names; null when there is none. */
  readonly addressOf: (reference: string) => string | null;
  /** The value of a variable (`page.video`), or of a parameter of post or site; null when there is none. */
  readonly valueOf: (name: string) => string | null;
}

type Render = (tag: TagArguments, context: TagContext) => string | null;

const picture = /\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?)(?:[?#]|$)/i;
const sources = ['src', 'url', 'file', 'path', 'image', 'img', 'image_path', 'source', 'filename'];

/** The tags that generators have themselves, or many of their sites have under the same name. */
const renderers: Readonly<Record<string, Render>> = {
  figure: (tag) => renderPicture(tag, true),
  image: (tag) => renderPicture(tag, false),
  img: (tag) => renderPicture(tag, false),
  picture: (tag) => renderPicture(tag, false),
  responsive_image: (tag) => renderPicture(tag, false),
  'responsive-image': (tag) => renderPicture(tag, false),
  asset_img: renderAsset,
  post_link: renderPostLink,
  ref: renderReference,
  relref: renderReference,
  param: ({ values }, { valueOf }) => valueOf(values[0] ?? ''),
  youtube: (tag) => renderVideo('https://www.youtube.com/watch?v=', tag),
  vimeo: (tag) => renderVideo('https://vimeo.com/', tag),
  video: renderHostedVideo,
  audio: (tag) => renderFile('audio', tag),
  streamable: ({ attributes, values }) => renderPage('https://streamable.com/', attributes.get('id') ?? values[0]),
  instagram: ({ attributes, values }) =>
    renderPage('https://www.instagram.com/p/', attributes.get('id') ?? values[0], '/'),
  gist: renderGist,
  tweet: renderTweet,
  twitter: renderTweet,
  x: renderTweet,
  details: renderDetails,
};

/** Their names, which docs/import-shortcodes.md lists. */
export const KNOWN_TAGS: readonly string[] = Object.keys(renderers);

/** Tags that show something of another site, to which a link leads here. */
const linked: ReadonlySet<string> = new Set(['tweet', 'twitter', 'x', 'instagram', 'gist', 'streamable']);

/** Returns true for a tag of which only a link is left. */
export function isLinkAlone({ names }: WrittenTag): boolean {
  const name = names.find((each) => Object.hasOwn(renderers, each));
  return name !== undefined && linked.has(name);
}

/** Writes a well-known tag as what it stands for; null for others, and where it does not say enough. */
export function renderKnownTag({ names }: WrittenTag, tag: TagArguments, context: TagContext): string | null {
  const name = names.find((each) => Object.hasOwn(renderers, each));
  return name === undefined ? null : (renderers[name]?.(tag, context) ?? null);
}

/** The address of a post, or a place of the same one. */
function renderReference({ attributes, values }: TagArguments, { addressOf }: TagContext): string | null {
  const reference = attributes.get('path') ?? values[0] ?? '';
  return /^#[\w:.-]{1,200}$/.test(reference) ? reference : addressOf(reference);
}

/** A picture of Hexo, with classes before it, and sizes and words without marks around them behind it. */
function renderAsset({ attributes, values, inner }: TagArguments): string | null {
  const place = values.findIndex((value) => picture.test(value));
  const words = values.slice(place + 1).filter((value) => !/^\d+(?:px|%)?$|^(?:true|false)$/.test(value));
  const [source] = values.slice(place, place + 1);
  if (source === undefined) return null;
  return renderPicture(
    { attributes: new Map([...attributes, ['src', source], ['alt', words.join(' ')]]), values: [], inner },
    false,
  );
}

/** A link to a post with its words; without any, Hexo would show the title of that post, which is not known here. */
function renderPostLink({ values }: TagArguments, { addressOf }: TagContext): string | null {
  const [reference = '', ...words] = values;
  const address = addressOf(reference);
  const text = words.filter((word) => word !== 'false' && word !== 'true').join(' ');
  return address === null || text === '' ? null : linkTo(address, text);
}

function renderPicture({ attributes, values, inner }: TagArguments, isFigure: boolean): string | null {
  const named = sources.map((name) => attributes.get(name)).find((value) => value !== undefined);
  const place = values.findIndex((value) => picture.test(value));
  const source = named ?? values[place] ?? (isFigure ? undefined : values[0]);
  if (source === undefined || source === '') return null;
  // Sizes and classes stand among the other arguments.
  const words = values.slice(place + 1).find((value) => /\s|^[A-Z]/.test(value));
  const alt = attributes.get('alt') ?? (named === undefined ? words : undefined) ?? '';
  const image = `<img src="${escapeValue(source)}" alt="${escapeValue(alt)}">`;
  const link = attributes.get('link');
  const shown = link === undefined ? image : `<a href="${escapeValue(link)}">${image}</a>`;
  const said = ['title', 'caption', 'description', 'attr'].map((name) => {
    const value = attributes.get(name) ?? '';
    return name === 'title' ? escapeValue(value) : toLine(value);
  });
  const caption = [...said.filter((part) => part !== ''), ...(inner.trim() === '' ? [] : [inner])];
  if (caption.length === 0 && !isFigure) return shown;
  return `<figure>${shown}${caption.length > 0 ? `<figcaption>${caption.join(' ').trim()}</figcaption>` : ''}</figure>`;
}

/** Words with Markdown and HTML in them, as Hugo and many sites take captions, as HTML in which a second reader finds no Markdown. */
function toLine(value: string): string {
  const [, line] = /^<p>([^]*)<\/p>\n$/.exec(markdownToHtml(value.replace(/\s+/g, ' ').trim())) ?? [];
  if (line === undefined || /<p>/.test(line)) return escapeValue(value);
  return line.replace(/[*_`~[\]\\^$]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function renderVideo(start: string, { attributes, values }: TagArguments): string | null {
  const named = ['id', 'video_id', 'video', 'url', 'src'].map((name) => attributes.get(name));
  const value = named.find((each) => each !== undefined) ?? values[0] ?? '';
  const address = /^https?:\/\//.test(value) ? value : start + value;
  return readVideoAddress(address) === null ? null : videoHtml(address);
}

function renderHostedVideo(tag: TagArguments): string | null {
  const provider = tag.attributes.get('provider')?.toLowerCase();
  if (provider === 'youtube') return renderVideo('https://www.youtube.com/watch?v=', tag);
  return renderVideo(provider === 'vimeo' ? 'https://vimeo.com/' : '', tag) ?? renderFile('video', tag);
}

/** A file that browsers play, by the end of its name. */
function renderFile(kind: PlayerKind, { attributes, values }: TagArguments): string | null {
  const names = [...sources, 'mp4', 'webm', 'mp3', 'ogg', 'video', 'audio'];
  const given = [...names.flatMap((name) => attributes.get(name) ?? []), ...values];
  const source = given.find((value) => playerKindOf(value) !== null);
  if (source === undefined) return null;
  const [title, poster] = [attributes.get('title') ?? attributes.get('caption'), attributes.get('poster')];
  return playerHtml(kind, source, { title, poster });
}

function renderGist({ attributes, values }: TagArguments): string | null {
  const written = attributes.get('url') ?? [attributes.get('user'), attributes.get('id'), ...values].join('/');
  const path = written.replace(/^https:\/\/gist\.github\.com/, '').replace(/^\/+/, '');
  const [, name, id] = /^(?:([\w-]{1,60})\/)?([\w-]{1,60})(?:[/#]|$)/.exec(path) ?? [];
  return id === undefined ? null : renderLink(`https://gist.github.com/${name === undefined ? '' : `${name}/`}${id}`);
}

function renderTweet({ attributes, values }: TagArguments): string | null {
  const [user = '', id = ''] = [attributes.get('user'), attributes.get('id')];
  if (isWord(user) && isWord(id)) return renderLink(`https://x.com/${user}/status/${id}`);
  const address = attributes.get('url') ?? values[0] ?? '';
  return /^https:\/\/(?:x|twitter)\.com\/[\w/]{1,100}$/.test(address) ? renderLink(address) : null;
}

function renderDetails({ attributes, values, inner }: TagArguments): string | null {
  if (inner.trim() === '') return null;
  const summary = attributes.get('summary') ?? attributes.get('title') ?? values[0] ?? 'Details';
  return `<details>\n<summary>${escapeValue(summary)}</summary>\n\n${inner.trim()}\n\n</details>`;
}

function renderPage(start: string, id = '', end = ''): string | null {
  return isWord(id) ? renderLink(start + id + end) : null;
}

function renderLink(address: string): string {
  return linkTo(address, address);
}

function isWord(text: string): boolean {
  return /^[\w-]{1,60}$/.test(text);
}
