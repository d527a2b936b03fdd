import { useState } from 'react';
import { lazyPart } from '../lib/lazy-part.js';
import { useWaitingToasts } from '../lib/toast.js';

const ToastRegion = lazyPart(async () => (await import('./toast-region.js')).ToastRegion);

/** The place of the toasts. The code that draws them is loaded with the first one. */
export function ToastSlot() {
  const [isUsed, setIsUsed] = useState(false);
  if (useWaitingToasts().length > 0 && !isUsed) setIsUsed(true);
  return isUsed ? <ToastRegion /> : null;
}
