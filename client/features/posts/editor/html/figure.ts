import { writeAttributes } from './escape.js';
import { InlineReader, NotEditableError } from './read-inline.js';
import { elementsOf } from './read-table.js';
import { pictureWidths, type FigureValue, type ImageValue, type PictureWidth } from './values.js';
import { writeInline } from './write-inline.js';

/**
 * The value of a `<figure>` of one picture, perhaps a link, and perhaps a caption of one line.
 * @throws NotEditableError if the editor would lose anything of it
 */
export function readFigure(figure: Element): FigureValue {
  if ([...figure.attributes].some(({ name }) => name !== 'class')) throw new NotEditableError('figure');
  const [picture, caption, ...others] = elementsOf(figure);
  if (picture === undefined || others.length > 0) throw new NotEditableError('figure');
  return {
    ...readPicture(picture),
    caption: caption === undefined ? '' : readCaption(caption),
    width: readWidth(figure),
  };
}

/** A picture with its caption and its width, in the spelling of the server's sanitizer. */
export function writeFigure({ image, caption, width, link }: FigureValue): string {
  const picture = writeInline([{ insert: { image }, ...(link === '' ? {} : { attributes: { link } }) }]);
  const words = caption === '' ? '' : `<figcaption>${caption}</figcaption>`;
  const className = width === 'text' ? undefined : `ql-width-${width}`;
  return `<figure${writeAttributes({ class: className })}>${picture}${words}</figure>`;
}

function readPicture(element: Element): { image: ImageValue; link: string } {
  const isParagraph = element.tagName === 'P' && element.attributes.length === 0;
  const [piece, ...others] = new InlineReader().read(isParagraph ? element.childNodes : [element]);
  const { insert, attributes = {} } = piece ?? {};
  const { link = '', ...looks } = attributes;
  const isPicture = typeof insert === 'object' && 'image' in insert && others.length === 0;
  if (!isPicture || Object.keys(looks).length > 0) throw new NotEditableError(element.tagName);
  return { image: insert['image'] as ImageValue, link: String(link) };
}

function readCaption(caption: Element): string {
  if (caption.tagName !== 'FIGCAPTION' || caption.attributes.length > 0) throw new NotEditableError(caption.tagName);
  const { firstElementChild: first } = caption;
  const isParagraph = first?.tagName === 'P' && first.attributes.length === 0 && caption.childNodes.length === 1;
  const line = isParagraph ? first : caption;
  // Several paragraphs, or lists, are not for one line.
  new InlineReader().read(line.childNodes);
  return line.innerHTML.trim();
}

function readWidth({ classList }: Element): PictureWidth {
  if (classList.length === 0) return 'text';
  const width = pictureWidths.find((name) => classList.length === 1 && classList.contains(`ql-width-${name}`));
  if (width === undefined) throw new NotEditableError(classList.value);
  return width;
}
