import { useEffect, type ReactNode } from 'react';
import { focusPageIfWaiting } from '../../lib/focus-page.js';

interface LostPageProps {
  readonly eyebrow?: string;
  /** The page's h1. */
  readonly title: string;
  readonly text: ReactNode;
  /** The ways on. */
  readonly children: ReactNode;
}

/** A page for what is missing or could not be shown: the cable hangs beside its socket, unplugged. */
export function LostPage({ eyebrow, title, text, children }: LostPageProps) {
  // What is missing may be found out after the page was shown.
  useEffect(focusPageIfWaiting, []);
  return (
    <div className="lost">
      <Unplugged />
      <div className="wrap stack">
        {eyebrow ? <p className="eyebrow">{eyebrow}</p> : null}
        <h1>{title}</h1>
        <p className="lede">{text}</p>
        <div className="row">{children}</div>
      </div>
    </div>
  );
}

function Unplugged() {
  return (
    <div className="cable-line unplugged" aria-hidden="true">
      <svg className="cables" viewBox="0 0 960 160">
        <path d="M-3000 44H396c46 0 46 76 92 76h34" />
        <g className="plug">
          <rect x="522" y="103" width="44" height="34" rx="6" />
          <path d="M566 112h14M566 128h14" />
        </g>
        <g className="socket">
          <rect x="640" y="12" width="58" height="64" rx="8" />
          <path d="M656 36h10M656 52h10" />
        </g>
        <path className="lamps lit" d="M684 44h0" />
        <path d="M698 44H6000" />
      </svg>
    </div>
  );
}
