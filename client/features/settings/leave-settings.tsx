import { useEffect } from 'react';
import { useBlocker, useLocation } from 'react-router-dom';
import { Button } from '../../components/button.js';
import { Modal } from '../../components/modal.js';
import { isTurnedAway } from '../../lib/turned-away.js';
import type { SettingsForm } from './use-settings-form.js';

interface LeaveSettingsProps {
  readonly form: SettingsForm;
  /** Addresses that show the same document. */
  readonly area?: string | undefined;
}

/** Asks before a link or the back button leads away from what is typed, and the browser before the tab is closed. */
export function LeaveSettings({ form, area }: LeaveSettingsProps) {
  const hasTyped = form.typed.length > 0;
  const { pathname } = useLocation();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      // Who has left already, and sees this screen for a moment longer, is not asked again.
      hasTyped &&
      currentLocation.pathname === pathname &&
      currentLocation.pathname !== nextLocation.pathname &&
      !(area !== undefined && `${nextLocation.pathname}/`.startsWith(`${area}/`)) &&
      !isTurnedAway(nextLocation),
  );
  useEffect(() => {
    if (!hasTyped) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [hasTyped]);
  if (blocker.state !== 'blocked') return null;
  return (
    <Modal title="Leave with unsaved changes?" onClose={() => blocker.reset()}>
      <p>What you typed is not saved. This tab keeps it until you come back; nobody else sees it.</p>
      <div className="row">
        <Button onClick={() => blocker.reset()}>Keep editing</Button>
        <Button kind="line" onClick={() => blocker.proceed()}>
          Leave
        </Button>
        <Button
          kind="line"
          className="btn-danger"
          onClick={() => {
            form.forget();
            blocker.proceed();
          }}
        >
          Discard what I typed
        </Button>
      </div>
    </Modal>
  );
}
