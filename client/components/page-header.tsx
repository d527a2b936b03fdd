import { useEffect, type ReactNode } from 'react';
import { focusPageIfWaiting } from '../lib/focus-page.js';

/** A drawing of cables and lamps: data of SVG paths in a box of 440 by 150. Cables run on to the right, out of the window. */
export interface Drawing {
  readonly cables: string;
  readonly shapes: string;
  /** Lines without length, which are dots for their round ends. */
  readonly lamps: string;
  /** The one lamp that is lit. */
  readonly lit: string;
}

interface PageHeaderProps {
  /** The page's h1. */
  readonly title: string;
  readonly lede?: ReactNode;
  /** Made for this page's subject, for screens with room. */
  readonly drawing: Drawing;
  /** A line under the lede. */
  readonly children?: ReactNode;
}

/** The head of a page: its one h1 beside a drawing. It is low, as people came for what follows. */
export function PageHeader({ title, lede, drawing, children }: PageHeaderProps) {
  // It may come after its page, with the posts of which it tells.
  useEffect(focusPageIfWaiting, []);
  return (
    <div className="page-header">
      <div className="wrap">
        <div className="page-header-text">
          <h1>{title}</h1>
          {lede ? <p className="lede">{lede}</p> : null}
          {children}
        </div>
        <PageDrawing drawing={drawing} />
      </div>
    </div>
  );
}

function PageDrawing({ drawing: { cables, shapes, lamps, lit } }: { readonly drawing: Drawing }) {
  return (
    <svg className="cables page-drawing" viewBox="0 0 440 150" aria-hidden="true">
      <path d={cables} />
      <path className="shapes" d={shapes} />
      <path className="lamps" d={lamps} />
      <path className="lamps lit" d={lit} />
    </svg>
  );
}
