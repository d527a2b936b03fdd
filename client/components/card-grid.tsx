import type { ReactNode } from 'react';
import { glyphs, type GlyphName } from '../../src/shared/glyphs.js';
import { Icon } from './icon.js';
import { Ticks } from './ticks.js';

interface CardGridProps {
  /** Columns on a wide screen; two on tablets, one on phones. */
  readonly columns?: 2 | 3;
  readonly children: ReactNode;
}

/** A ruled sheet of cards. Its children are {@link Card}s. */
export function CardGrid({ columns = 3, children }: CardGridProps) {
  return <ul className={`card-grid cards-${columns}`}>{children}</ul>;
}

interface PointListProps {
  /** 'rows' gives each point the whole width, for points with features. */
  readonly layout?: 'columns' | 'rows';
  readonly children: ReactNode;
}

/** {@link Card}s without a frame: points that are read one after the other, rather than compared. */
export function PointList({ layout = 'columns', children }: PointListProps) {
  return <ul className={`points points-${layout}`}>{children}</ul>;
}

interface CardProps {
  readonly glyph?: GlyphName;
  readonly title: string;
  readonly text?: ReactNode;
  readonly features?: readonly string[];
  /** The end of the card, such as a button. */
  readonly children?: ReactNode;
}

/** One cell of a {@link CardGrid}, or a point of a {@link PointList}: drawing, h3, text, ticked features. */
export function Card({ glyph, title, text, features, children }: CardProps) {
  return (
    <li>
      {glyph ? <Icon shape={glyphs[glyph]} isLarge /> : null}
      <h3>{title}</h3>
      {text ? <p>{text}</p> : null}
      {features && features.length > 0 ? <Ticks items={features} /> : null}
      {children ? <div className="card-foot">{children}</div> : null}
    </li>
  );
}
