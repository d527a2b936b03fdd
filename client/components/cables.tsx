import { CABLE_LINE_SIZE, drawCableLine, type CableDrawing } from '../lib/cables.js';
import { markup, type Markup } from '../lib/markup.js';

interface CablesOptions {
  readonly width: number;
  readonly height: number;
  /** Fills its box and crops the rest, instead of showing all of itself. */
  readonly isCropped?: boolean;
}

/** A drawing of cables and lamps. It decorates: readers of the page's text miss nothing. */
export function cables({ paths, lamps }: CableDrawing, { width, height, isCropped = false }: CablesOptions): Markup {
  const ratio = isCropped ? markup` preserveAspectRatio="xMidYMid slice"` : null;
  return markup`<svg class="cables" viewBox="0 0 ${width} ${height}"${ratio} aria-hidden="true">
    ${paths.map((path) => markup`<path d="${path}"/>`)}
    ${lamps.map(({ x, y, isLit }) => markup`<circle cx="${x}" cy="${y}" r="6"${isLit ? LIT : null}/>`)}
  </svg>`;
}

const LIT = markup` class="lit"`;

/** The cable line across the window. Each seed gives its own drawing, always the same one. */
export function CableLine({ seed }: { readonly seed: string }) {
  const { html } = cables(drawCableLine(seed), CABLE_LINE_SIZE);
  return <div className="cable-line" dangerouslySetInnerHTML={{ __html: html }} />;
}
