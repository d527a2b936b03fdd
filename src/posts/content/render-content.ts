import type { highlightCode } from '../../shared/highlight-code.js';
import { MEDIA_PATH, toPicture } from '../../shared/media.js';
import type { renderFormula } from '../../shared/render-formula.js';
import { readVideoAddress } from '../../shared/video-address.js';
import { isCrowdedTable } from './crowded-table.js';
import { escapeAttribute, escapeText, unescapeMarkup } from './markup-tree.js';
import { readingMinutes } from './plain-text.js';
import { isRemoteAddress, linkImages, type OwnAddresses } from './remote-images.js';
import { renderFootnotes } from './render-footnotes.js';
import { RenderCache, type Rendered } from './render-cache.js';

/** How wide an image is shown: in the text column, and in a figure that is wider. */
const SIZES = '(min-width: 800px) 720px, 100vw';
const FIGURE_SIZES = {
  wide: '(min-width: 1100px) 1040px, 100vw',
  full: '100vw',
  grid: '(min-width: 800px) 360px, 50vw',
} as const;
/** Formulas drawn, and characters of code colored, in one text: beyond them the source is shown. */
const MOST = { formulas: 300, code: 200_000 } as const;

const imagePattern =
  /<img src="([^"]*)" alt="([^"]*)"(?: role="presentation")?(?: width="(\d+)")?(?: height="(\d+)")?>/g;
const figurePattern = /<figure class="[^"]*ql-width-(wide|full|grid)">[\s\S]*?<\/figure>/g;
/** Pictures of a gallery, one after another; none of them holds a figure. */
const galleryPattern = /(?:<figure class="[^"]*ql-width-grid">(?:(?!<figure)[\s\S])*?<\/figure>\s*)+/g;
const videoPattern = /<iframe class="ql-video" src="([^"]*)" title="([^"]*)"[^>]*><\/iframe>/g;
const playerPattern =
  /<(audio|video) class="ql-player" src="([^"]*)"(?: title="([^"]*)")?(?: poster="([^"]*)")?( [^>]*)>((?:<track [^>]*>)*)<\/\1>/g;
const formulaPattern = /<span class="ql-formula" data-value="([^"]*)">[^<]*<\/span>/g;
const codePattern = /<pre><code(?: class="language-([^"]*)")?>([^<]*)<\/code><\/pre>/g;

/** The tools for formulas and code, if the content needs them. */
interface Tools {
  readonly renderFormula: typeof renderFormula | undefined;
  readonly highlightCode: typeof highlightCode | undefined;
}

const cache = new RenderCache();

/**
 * Renders sanitized content for a page: hosted images become `<picture>` with their renditions and their size, those of
 * other sites, which browsers do not load here, are links, formulas are drawn, code is colored, a video is a link until it is pressed, files of ours are played, and wide tables and
 * code scroll by themselves, also by keyboard. The result depends on the content only; the latest results are cached.
 * @param html the output of `sanitizeContent`, whose spelling of tags this relies on
 */
export async function renderContent(html: string, own: OwnAddresses): Promise<Rendered> {
  const tools = await loadTools(html);
  const make = () => ({ html: render(html, own, tools), minutes: readingMinutes(html) });
  return cache.get(`${own.siteUrl} ${own.publicBase ?? ''} ${html}`, make);
}

/** Renders sanitized content as {@link renderContent} does, without a place in the cache: that one is for visitors. */
export async function renderAnew(html: string, own: OwnAddresses): Promise<string> {
  return render(html, own, await loadTools(html));
}

/** Most posts have neither formulas nor code in a language, and the libraries are large. */
async function loadTools(html: string): Promise<Tools> {
  const hasFormula = html.includes('<span class="ql-formula"');
  const hasCode = html.includes('<pre><code class="language-');
  return {
    renderFormula: hasFormula ? (await import('../../shared/render-formula.js')).renderFormula : undefined,
    highlightCode: hasCode ? (await import('../../shared/highlight-code.js')).highlightCode : undefined,
  };
}

function render(html: string, own: OwnAddresses, tools: Tools): string {
  const withMedia = linkImages(renderFootnotes(html), (address) => isRemoteAddress(address, own))
    .replace(figurePattern, (figure, width: keyof typeof FIGURE_SIZES) =>
      figure.replace(imagePattern, (...match) => renderImage(match, own.publicBase, FIGURE_SIZES[width])),
    )
    .replace(imagePattern, (...match) => renderImage(match, own.publicBase, SIZES))
    .replace(galleryPattern, (figures) => `<div class="gallery">${figures.trimEnd()}</div>`)
    .replace(videoPattern, (_tag, src: string, title: string) => renderVideo(src, title))
    .replace(playerPattern, (...match) => renderPlayer(match, own.publicBase));
  return makeScrollable(colorCode(drawFormulas(withMedia, tools), tools));
}

function renderImage(
  [tag, src, alt, width, height]: readonly string[],
  publicBase: string | undefined,
  sizes: string,
): string {
  const picture = toPicture(src ?? '', publicBase);
  const lazy = 'loading="lazy" decoding="async"';
  if (picture === null) return `${(tag ?? '').slice(0, -1)} ${lazy}>`;
  const sources = picture.sources
    .map(({ type, srcset }) => `<source type="${type}" srcset="${escapeAttribute(srcset)}" sizes="${sizes}">`)
    .join('');
  const size = scaledSize(picture, Number(width ?? 0), Number(height ?? 0));
  const image = `<img src="${escapeAttribute(picture.src)}" alt="${alt}" width="${size.width}" height="${size.height}" ${lazy}>`;
  return `<picture>${sources}${image}</picture>`;
}

/** The size the author gave, with the proportions of the picture, so that nothing shifts and nothing is distorted. */
function scaledSize(picture: { width: number; height: number }, width: number, height: number) {
  const scale = width > 0 ? width / picture.width : height > 0 ? height / picture.height : 1;
  if (scale >= 1) return { width: picture.width, height: picture.height };
  return {
    width: Math.max(1, Math.round(picture.width * scale)),
    height: Math.max(1, Math.round(picture.height * scale)),
  };
}

/**
 * A link to the video in the shape of a player: nothing is asked of the host before a visitor wants to watch. A script
 * puts the player (`data-player`) in its place; without one the link leads there. Spans, as it may stand in a paragraph.
 */
function renderVideo(src: string, title: string): string {
  const video = readVideoAddress(unescapeMarkup(src));
  if (video === null) return '';
  return (
    `<span class="video"><a href="${escapeAttribute(video.page)}" data-player="${escapeAttribute(video.player)}">` +
    `<span class="video-sign"></span><span class="video-title"><span class="visually-hidden">Play: </span>${title}</span>` +
    `<span class="video-host">Plays from ${video.host}</span></a></span>`
  );
}

/**
 * The browser's own player, which loads no more than how long it plays before a visitor wants it, and a link to the file:
 * its title, and what is printed. Captions come from this server wherever the rest is, as browsers take no others.
 */
function renderPlayer(
  [, tag, src, title = '', poster = '', rest, tracks]: readonly string[],
  publicBase: string | undefined,
): string {
  const toAddress = (address = '') =>
    publicBase === undefined ? address : `${escapeAttribute(publicBase)}/${address.slice(MEDIA_PATH.length)}`;
  const file = toAddress(src);
  const kind = tag === 'audio' ? 'Audio' : 'Video';
  const still = poster === '' ? '' : ` poster="${toAddress(poster)}"`;
  const words = escapeText(unescapeMarkup(title || kind));
  return (
    `<div class="player"><${tag} src="${file}" aria-label="${title || kind}"${still}${rest}>${tracks}</${tag}>` +
    `<a class="player-file${title === '' ? ' player-untitled' : ''}" href="${file}">${words}</a></div>`
  );
}

function drawFormulas(html: string, { renderFormula }: Tools): string {
  if (!renderFormula) return html;
  let count = 0;
  return html.replace(formulaPattern, (tag, value: string) => {
    count += 1;
    const formula = count > MOST.formulas ? null : renderFormula(unescapeMarkup(value)).html;
    // What is no formula stays readable as its source.
    return formula === null ? tag : `<span class="ql-formula" data-value="${value}">${formula}</span>`;
  });
}

function colorCode(html: string, { highlightCode }: Tools): string {
  if (!highlightCode) return html;
  let left = MOST.code;
  return html.replace(codePattern, (tag, language: string | undefined, text: string) => {
    left -= text.length;
    if (language === undefined || left < 0) return tag;
    const colored = highlightCode(unescapeMarkup(text), unescapeMarkup(language));
    return colored === null ? tag : `<pre><code class="language-${language}">${colored}</code></pre>`;
  });
}

/**
 * Puts each outermost table into a box that scrolls, and lets code be scrolled by keyboard. Groups, as a text may have
 * many, and each region is a landmark that has to have a name of its own.
 */
function makeScrollable(html: string): string {
  let depth = 0;
  return html.replace(/<(\/?)table(?: [^>]*)?>|<pre>/g, (tag, slash: string | undefined, start: number) => {
    if (tag === '<pre>') return '<pre tabindex="0">';
    if (slash === '/') {
      depth -= 1;
      return depth === 0 ? `${tag}</div>` : tag;
    }
    depth += 1;
    if (depth > 1) return tag;
    const names = isCrowdedTable(html, start) ? 'table-scroll table-crowded' : 'table-scroll';
    return `<div class="${names}" role="group" aria-label="Table" tabindex="0">${tag}`;
  });
}
