import { escapeHtml } from '../html-text.js';

/** HTML as a paragraph; nothing of nothing. */
export function paragraph(html: string): string {
  return html.trim() === '' ? '' : `<p>${html.trim()}</p>`;
}

interface Bookmark {
  readonly link: string;
  readonly thumbnail: string;
  readonly title: string;
  readonly description: string;
  /** The names of its publisher and its author. */
  readonly source: string;
  readonly caption: string;
}

/** A link to another page with what it says of itself; its texts are HTML, and the icon of its site is none of it. */
export function bookmarkHtml({ link, thumbnail, title, description, source, caption }: Bookmark): string {
  const picture = thumbnail === '' ? '' : `<figure><img src="${escapeHtml(thumbnail)}" alt=""></figure>`;
  const linked = `<p><a href="${escapeHtml(link)}">${title || escapeHtml(link)}</a></p>`;
  return picture + linked + paragraph(description) + paragraph(source) + paragraph(caption);
}

/** Words that stand out, behind a sign. */
export function calloutHtml(emoji: string, words: string): string {
  const [, start, rest] = /^\s*(<p(?:\s[^<>]*)?>)([^]*)$/.exec(words) ?? [];
  const sign = emoji === '' ? '' : `${emoji} `;
  return start === undefined
    ? `<blockquote>${paragraph(sign + words)}</blockquote>`
    : `<blockquote>${start}${sign}${rest ?? ''}</blockquote>`;
}

/** Words that open others. */
export function toggleHtml(heading: string, content: string): string {
  const words = heading.replace(/<\/p>\s*<p(?:\s[^<>]*)?>/g, ' ').replace(/<\/?p(?:\s[^<>]*)?>/g, '');
  return `<details><summary>${words.trim()}</summary>${content}</details>`;
}

/** How many of five stars somebody gave. */
export function starsHtml(count: number): string {
  const given = Math.min(Math.max(Math.round(count), 0), 5);
  return `<p>${'★'.repeat(given)}${'☆'.repeat(5 - given)}</p>`;
}

interface FileCard {
  readonly link: string;
  readonly title: string;
  readonly caption: string;
  /** Its name and size. */
  readonly about?: string;
}

/** A link to a file; its texts are HTML. */
export function fileHtml({ link, title, caption, about = '' }: FileCard): string {
  const linked = `<p><a href="${escapeHtml(link)}">${title || escapeHtml(link)}</a></p>`;
  return linked + paragraph(caption) + (about === title ? '' : paragraph(about));
}
