import { nameLanguage } from '../../shared/code-languages.js';
import { directBlocks } from './direct-blocks.js';
import { linkHeadings, type LinkedText } from './link-headings.js';
import { escapeAttribute, escapeText, unescapeMarkup } from './markup-tree.js';

/** CSS pixels: a picture that is shown smaller is a sign or a logo, and larger it would show no more. */
const LEAST_WIDTH = 320;

const code = /<pre tabindex="0">(<code(?: class="language-([^"]*)")?>.*?<\/code>)<\/pre>/gs;
const linkOrPicture = /<a [^>]*>|<\/a>|<picture>.*?<img src="([^"]*)" alt="([^"]*)" width="(\d+)"[^>]*><\/picture>/gs;

/**
 * Adds to rendered content what helps to read it on its own page and works without scripts: headings that are links,
 * code with the name of its language, which translations of the page leave as it is, pictures that lead to themselves in full size, and the
 * direction of blocks that differs from that of the text.
 */
export function addReadingAids(content: string): LinkedText {
  const { html, sections } = linkHeadings(content);
  return { html: directBlocks(linkPictures(html.replace(code, nameCode))), sections };
}

function nameCode(_block: string, text: string, written?: string): string {
  const language = written === undefined ? null : nameLanguage(unescapeMarkup(written));
  const label = language === null ? 'Code' : `${language} code`;
  return (
    `<div class="code"><p class="code-head">${escapeText(language ?? 'Code')}</p>` +
    `<pre tabindex="0" role="group" aria-label="${escapeAttribute(label)}" translate="no">${text}</pre></div>`
  );
}

/** Pictures within links lead elsewhere already. */
function linkPictures(html: string): string {
  let isInLink = false;
  return html.replace(linkOrPicture, (tag: string, src?: string, alt?: string, width?: string) => {
    if (src === undefined) {
      isInLink = tag !== '</a>';
      return tag;
    }
    if (isInLink || Number(width) < LEAST_WIDTH) return tag;
    const label = alt === '' ? 'Open the picture' : `Open the picture: ${alt}`;
    return `<a class="picture-link" href="${src}" aria-label="${label}">${tag}</a>`;
  });
}
