import { toPicture } from '../../shared/media.js';
import { escapeAttribute } from './markup-tree.js';

/** How wide the text column shows an image. */
const SIZES = '(min-width: 800px) 720px, 100vw';

const imagePattern = /<img src="([^"]*)" alt="([^"]*)"(?: width="(\d+)")?(?: height="(\d+)")?>/g;

/**
 * What a page shows of sanitised content: hosted images become `<picture>` with their renditions and their size, other
 * images load late, and wide tables and code scroll by themselves, also by keyboard. It reads nothing but the content.
 * @param html the output of `sanitizeContent`, whose spelling of tags this relies on
 * @param publicBase where browsers read images (S3_PUBLIC_URL), or undefined when this server hands them out
 */
export function renderContent(html: string, publicBase: string | undefined): string {
  return makeScrollable(html.replace(imagePattern, (...match) => renderImage(match, publicBase)));
}

function renderImage([tag, src, alt, width, height]: readonly string[], publicBase: string | undefined): string {
  const picture = toPicture(src ?? '', publicBase);
  const lazy = 'loading="lazy" decoding="async"';
  if (picture === null) return `${(tag ?? '').slice(0, -1)} ${lazy}>`;
  const sources = picture.sources
    .map(({ type, srcset }) => `<source type="${type}" srcset="${escapeAttribute(srcset)}" sizes="${SIZES}">`)
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

/** Puts each outermost table into a box that scrolls, and lets code be scrolled by keyboard. */
function makeScrollable(html: string): string {
  let depth = 0;
  return html.replace(/<(\/?)table(?: [^>]*)?>|<pre>/g, (tag, slash: string | undefined) => {
    if (tag === '<pre>') return '<pre tabindex="0">';
    if (slash === '/') {
      depth -= 1;
      return depth === 0 ? `${tag}</div>` : tag;
    }
    depth += 1;
    return depth === 1 ? `<div class="table-scroll" role="region" aria-label="Table" tabindex="0">${tag}` : tag;
  });
}
