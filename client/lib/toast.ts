import { useSyncExternalStore } from 'react';

/** A short message over the page. It goes away by itself, so it is never the only carrier of an error. */
export interface Toast {
  readonly kind: 'success' | 'error';
  readonly title: string;
  readonly text?: string;
  /** An action offered while the toast is shown; it must be possible elsewhere too. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

let waiting: readonly Toast[] = [];
const listeners = new Set<() => void>();

function setWaiting(toasts: readonly Toast[]): void {
  waiting = toasts;
  for (const listener of listeners) listener();
}

/** Shows a message for about four seconds (product.md 9.4). */
export function showToast(toast: Toast): void {
  setWaiting([...waiting, toast]);
}

/** Takes the waiting toasts, for the component that draws them. */
export function takeToasts(): readonly Toast[] {
  const taken = waiting;
  if (taken.length > 0) setWaiting([]);
  return taken;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The messages that wait to be drawn. */
export function useWaitingToasts(): readonly Toast[] {
  return useSyncExternalStore(
    subscribe,
    () => waiting,
    () => waiting,
  );
}
