import type { ReactNode } from 'react';
import { CableLine } from './cables.js';

interface PageHeaderProps {
  readonly eyebrow?: string;
  /** The page's h1. */
  readonly title: string;
  readonly lede?: ReactNode;
  /** Buttons or a note under the lede. */
  readonly children?: ReactNode;
}

/** The head of a page: its one h1 over a cable line of its own. */
export function PageHeader({ eyebrow, title, lede, children }: PageHeaderProps) {
  return (
    <div className="page-header">
      <div className="wrap page-header-text">
        {eyebrow ? <p className="eyebrow">{eyebrow}</p> : null}
        <h1>{title}</h1>
        {lede ? <p className="lede">{lede}</p> : null}
        {children}
      </div>
      <CableLine seed={title} />
    </div>
  );
}
