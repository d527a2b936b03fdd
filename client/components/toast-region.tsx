import { useEffect } from 'react';
import { toast, Toaster } from 'sonner';
import { takeToasts, useWaitingToasts } from '../lib/toast.js';
import { Icon } from './icon.js';

/** About four seconds, three at a time (specification section 9). */
const DURATION_MS = 4000;
const MAX_VISIBLE = 3;

const offset = '1.25rem';
const icons = { success: <Icon name="check" />, error: <Icon name="alert" /> };

/** Draws the messages over the page and says them to screen readers; client/styles/toasts.css places them. */
export function ToastRegion() {
  const waiting = useWaitingToasts();
  useEffect(() => {
    for (const { kind, title, text, action } of takeToasts())
      toast[kind](title, { description: text, action: action && { label: action.label, onClick: action.run } });
  }, [waiting]);
  return (
    <Toaster
      duration={DURATION_MS}
      visibleToasts={MAX_VISIBLE}
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
