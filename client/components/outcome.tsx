import { useEffect, useRef, useState } from 'react';
import { passFocusOn } from '../lib/pass-focus.js';
import { Button } from './button.js';
import { Notice } from './notice.js';
import { useBriefly } from './undo-offer.js';

/** A line that leads to the place it is about: on this screen, or at an address. */
export interface OutcomeLine {
  readonly text: string;
  readonly leadsTo: (() => void) | string;
}

/** How something ended, in words that stay on the page: a toast is never the only carrier. */
export interface Outcome {
  readonly kind: 'success' | 'error';
  readonly title: string;
  readonly text?: string;
  /** One line for each thing that needs a word of its own. */
  readonly lines?: readonly (string | OutcomeLine)[];
  /** With `isBrief` it is offered for some seconds. */
  readonly action?: { readonly label: string; readonly run: () => void; readonly isBrief?: boolean };
  readonly link?: { readonly label: string; readonly to: string };
  /** True when the focused element has left the page, so that the focus must move. */
  readonly takesFocus?: boolean;
}

interface OutcomeNoticeProps {
  readonly outcome: Outcome | null;
  readonly onDismiss: () => void;
}

/** The place where the screen says how things ended. It is always there, or screen readers would not hear of it. */
export function OutcomeNotice({ outcome, onDismiss }: OutcomeNoticeProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (outcome?.takesFocus) place.current?.focus();
  }, [outcome]);
  return (
    <div ref={place} role="status" aria-label="What was done" tabIndex={-1} className="outcome">
      {outcome ? (
        <Notice kind={outcome.kind}>
          <p>
            <b>{outcome.title}</b>
            {outcome.text ? `: ${outcome.text}` : null}
          </p>
          {outcome.lines?.length ? (
            <ul className="outcome-lines">
              {outcome.lines.map((line, index) => (
                <li key={index}>{typeof line === 'string' ? line : <LeadingLine {...line} />}</li>
              ))}
            </ul>
          ) : null}
          <div className="row">
            {outcome.action ? <Action key={outcome.title} {...outcome.action} /> : null}
            {outcome.link ? (
              <a className="btn btn-line btn-small" href={outcome.link.to}>
                {outcome.link.label}
              </a>
            ) : null}
            <Button ref={passFocusOn} kind="line" isSmall onClick={onDismiss}>
              Dismiss
            </Button>
          </div>
        </Notice>
      ) : null}
    </div>
  );
}

function LeadingLine({ text, leadsTo }: OutcomeLine) {
  if (typeof leadsTo === 'string') {
    return (
      <a className="link" href={leadsTo}>
        {text}
      </a>
    );
  }
  return (
    <button type="button" className="link" onClick={leadsTo}>
      {text}
    </button>
  );
}

function Action({ label, run, isBrief = false }: NonNullable<Outcome['action']>) {
  const [isOver, setIsOver] = useState(false);
  const hold = useBriefly(isBrief ? () => setIsOver(true) : null);
  if (isOver) return null;
  return (
    <Button ref={passFocusOn} isSmall onClick={run} {...hold}>
      {label}
    </Button>
  );
}
