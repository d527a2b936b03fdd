import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router-dom';
import { isTurnedAway } from '../../../lib/turned-away.js';
import { LeaveDialog } from './leave-dialog.js';
import type { Saver, SaverState } from './saver.js';
import { isDirty } from './saving-state.js';
import { hasUnsavedChanges, hasUnsavedDate, hasUnsavedDecision, hasWorkingCopy } from './saving-words.js';

interface LeaveGuardProps {
  readonly saver: Saver;
  readonly state: SaverState;
  /** True while a picture is on its way, which no text has yet. */
  readonly isUploading: boolean;
  /** Throws the changes away; resolves when they are gone. */
  readonly onDiscard: () => Promise<void>;
}

/** Asks before a link, the back button or 'Cancel' leads away from unsaved changes, or from a picture that has not arrived. */
export function LeaveGuard({ saver, state, isUploading, onDiscard }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname &&
      !isTurnedAway(nextLocation) &&
      !saver.isAbandoned &&
      (isUploading || hasUnsavedChanges(saver.getState())),
  );
  const [isDiscarding, setIsDiscarding] = useState(false);
  useEffect(() => {
    if (!isUploading) return undefined;
    // The browser asks, in words of its own.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUploading]);
  if (blocker.state !== 'blocked') return null;
  return (
    <LeaveDialog
      hasText={isDirty(state) || hasWorkingCopy(state) || state.request !== null}
      isKept={!isDirty(state) && state.request === null}
      hasDecided={hasUnsavedDecision(state)}
      hasDated={hasUnsavedDate(state)}
      isUploading={isUploading}
      isNew={state.server?.saved.title === '' || state.server === null}
      isDiscarding={isDiscarding}
      onStay={() => blocker.reset()}
      onLeave={() => {
        saver.autosaveNow();
        blocker.proceed();
      }}
      onDiscard={() => {
        setIsDiscarding(true);
        void onDiscard().then(() => blocker.proceed());
      }}
    />
  );
}
