/** A picture in the text. */
export interface ImageValue {
  readonly src: string;
  /** Empty for a decoration, and as long as nobody has described the picture. */
  readonly alt: string;
  readonly isDecorative: boolean;
  readonly width?: string;
  readonly height?: string;
}

/** How wide a picture stands: as the text, wider than it, or from one side of the window to the other. */
export const pictureWidths = ['text', 'wide', 'full', 'grid'] as const;
export type PictureWidth = (typeof pictureWidths)[number];

/** A picture between paragraphs, with what belongs to it. */
export interface FigureValue {
  readonly image: ImageValue;
  /** One line of HTML; empty for none. */
  readonly caption: string;
  readonly width: PictureWidth;
  /** As {@link toLinkValue} gives it; empty for none. */
  readonly link: string;
}

/** A video between paragraphs. */
export interface VideoValue {
  /** Address of the player. */
  readonly src: string;
  readonly title: string;
}

/** Target of a link. */
export interface LinkTarget {
  readonly href: string;
  readonly title: string;
  readonly opensWindow: boolean;
}

/** A link as the editor holds it: a text, as it compares formats by identity. Addresses hold no line breaks. */
export function toLinkValue({ href, title, opensWindow }: LinkTarget): string {
  return title === '' && !opensWindow ? href : [href, opensWindow ? '_blank' : '', title].join('\n');
}

/** The opposite of {@link toLinkValue}. */
export function readLinkValue(value: string): LinkTarget {
  const [href = '', target = '', title = ''] = value.split('\n');
  return { href, title, opensWindow: target === '_blank' };
}
