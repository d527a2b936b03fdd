import { useState } from 'react';
import { lazyPart } from '../lib/lazy-part.js';
import { takeToasts, useWaitingToasts } from '../lib/toast.js';

const ToastRegion = lazyPart(async () => (await import('./toast-region.js')).ToastRegion, PlainToasts);

/** The place of the toasts. The code that draws them is loaded with the first one. */
export function ToastSlot() {
  const [isUsed, setIsUsed] = useState(false);
  if (useWaitingToasts().length > 0 && !isUsed) setIsUsed(true);
  return isUsed ? <ToastRegion /> : null;
}

/** Says what the toasts say where the code that draws them did not come. They stay until somebody closes them. */
function PlainToasts() {
  const waiting = useWaitingToasts();
  return (
    <div className="plain-toasts" role="status">
      {waiting.map(({ kind, title, text }, index) => (
        <p key={index} className={`notice notice-${kind}`}>
          <b>{title}</b> {text}
        </p>
      ))}
      {waiting.length > 0 ? (
        <button type="button" className="btn btn-line btn-small" onClick={takeToasts}>
          Close
        </button>
      ) : null}
    </div>
  );
}
