import { useEffect } from 'react';
import { toast, Toaster } from 'sonner';
import { takeToasts, useWaitingToasts } from '../lib/toast.js';
import { Icon } from './icon.js';

const offset = '1.25rem';
const icons = { success: <Icon name="check" />, error: <Icon name="alert" /> };

/**
 * Draws the messages over the page and says them to screen readers; client/styles/toasts.css places them. How long and
 * how many at a time (product.md 9.4) are the library's defaults.
 */
export function ToastRegion() {
  const waiting = useWaitingToasts();
  useEffect(() => {
    for (const { kind, title, text, action } of takeToasts())
      toast[kind](title, { description: text, action: action && { label: action.label, onClick: action.run } });
  }, [waiting]);
  return (
    <Toaster
      expand
      offset={offset}
      mobileOffset={offset}
      icons={icons}
      toastOptions={{
        unstyled: true,
        className: 'toast',
        classNames: { error: 'toast-error', actionButton: 'btn btn-line btn-small' },
      }}
    />
  );
}
