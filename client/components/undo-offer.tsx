import { useEffect, useRef, useState } from 'react';
import { Button } from './button.js';

/** How long a decision can be taken back from where it was made; later it takes another decision. */
export const UNDO_MS = 10_000;

/**
 * Ends something after {@link UNDO_MS}, but not while it has the focus or the pointer: nobody loses a button that they
 * are about to press.
 * @param onEnd null when nothing is to end
 * @returns handlers for the element
 */
export function useBriefly(onEnd: (() => void) | null) {
  const [isHeld, setIsHeld] = useState(false);
  const end = useRef(onEnd);
  useEffect(() => {
    end.current = onEnd;
  }, [onEnd]);
  const isRunning = onEnd !== null && !isHeld;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setTimeout(() => end.current?.(), UNDO_MS);
    return () => clearTimeout(timer);
  }, [isRunning]);
  return {
    onFocus: () => setIsHeld(true),
    onBlur: () => setIsHeld(false),
    onPointerEnter: () => setIsHeld(true),
    onPointerLeave: () => setIsHeld(false),
  };
}

interface UndoOfferProps {
  /** The decision in words. */
  readonly words: string;
  /** The name of its subject, for screen readers. */
  readonly subject: string;
  readonly onUndo: () => void;
  /** Called when the time is over. */
  readonly onEnd: () => void;
}

/** Says what was done and offers to undo it. */
export function UndoOffer({ words, subject, onUndo, onEnd }: UndoOfferProps) {
  const hold = useBriefly(onEnd);
  return (
    <p role="status" className="undo-offer" {...hold}>
      {/* An element: beside others, React could not write a text anew where a browser translates the page. */}
      <span>{words}</span>{' '}
      <Button
        kind="line"
        isSmall
        onClick={({ currentTarget }) => {
          // The button goes: the focus moves to what it was about.
          currentTarget.closest<HTMLElement>('[tabindex="-1"]')?.focus();
          onUndo();
        }}
      >
        Undo<span className="visually-hidden"> {subject}</span>
      </Button>
    </p>
  );
}
