import { useEffect, useSyncExternalStore } from 'react';
import { toast, Toaster } from 'sonner';
import { takeToasts, useWaitingToasts } from '../lib/toast.js';
import { Icon } from './icon.js';
import { signs } from './signs.js';

const offset = { top: 'calc(var(--header-height) + 0.75rem)', right: '1.25rem', bottom: '1.25rem', left: '1.25rem' };
const smallScreen = '(max-width: 55.99rem)';

function subscribeToWidth(listener: () => void): () => void {
  const query = matchMedia(smallScreen);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** In the editor of posts, messages stand above the bar that saves: at the top they would cover what they are about. */
const hasBarAtFoot = () => document.querySelector('.save-bar') !== null;

const icons = { success: <Icon shape={signs.check} />, error: <Icon shape={signs.alert} /> };

/**
 * Draws the messages over the page and says them to screen readers; client/styles/toasts.css says how they look. How long and
 * how many at a time (product.md 9.4) are the library's defaults.
 */
export function ToastRegion() {
  const waiting = useWaitingToasts();
  const isSmall = useSyncExternalStore(subscribeToWidth, () => matchMedia(smallScreen).matches);
  useEffect(() => {
    for (const { kind, title, text, action } of takeToasts())
      toast[kind](title, { description: text, action: action && { label: action.label, onClick: action.run } });
  }, [waiting]);
  return (
    <Toaster
      className="toaster"
      // On small screens under the header, where neither the keyboard nor the button that was just pressed is covered.
      position={isSmall && !hasBarAtFoot() ? 'top-right' : 'bottom-right'}
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
