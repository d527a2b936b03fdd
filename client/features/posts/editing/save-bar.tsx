import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Button } from '../../../components/button.js';
import { useSite } from '../../../lib/site-context.js';
import type { SaverState } from './saver.js';
import { describeSaving, toAnnouncement, type WhereTextIs } from './saving-words.js';

interface SaveBarProps {
  readonly state: SaverState;
  readonly isSaving: boolean;
  readonly isUploading: boolean;
  /** False where somebody else takes the edits in. */
  readonly canSave: boolean;
  readonly onCancel: () => void;
  /** A remedy for text that is not on the server, such as entering the password. */
  readonly remedy: ReactNode;
  /** Further buttons. */
  readonly children: ReactNode;
}

const isMac = () => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Always in sight: where the text is, and the buttons that move it. */
export function SaveBar({ state, isSaving, isUploading, canSave, onCancel, remedy, children }: SaveBarProps) {
  const where = describeSaving({ ...state, timeZone: useSite().timeZone });
  return (
    <div className="save-bar" role="region" aria-label="Saving">
      <div className="save-bar-where" data-place={where.place}>
        <p>
          <b>{where.headline}</b>
          {where.detail ? <span className="quiet">{`, ${where.detail}`}</span> : null}
        </p>
        {remedy}
      </div>
      <Announcer where={where} />
      <div className="save-bar-buttons">
        {canSave ? (
          <span className="save-bar-keys quiet small">
            <kbd>{isMac() ? '⌘' : 'Ctrl'}</kbd> <kbd>S</kbd> saves
          </span>
        ) : null}
        {children}
        <Button kind="line" className="save-bar-more" onClick={onCancel}>
          Cancel
        </Button>
        {canSave ? (
          // Not disabled: the focus would be lost. A press meanwhile saves nothing, which is known where the form is sent.
          <Button type="submit" aria-disabled={isSaving || isUploading} aria-keyshortcuts="Control+S Meta+S">
            {isSaving ? 'Saving...' : 'Save Post'}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/** Tells screen readers what is worth an interruption, and not every autosave. */
function Announcer({ where }: { readonly where: WhereTextIs }) {
  const [said, setSaid] = useState('');
  const last = useRef(where);
  useEffect(() => {
    const announcement = toAnnouncement(last.current, where);
    // On the way from one place to the next, the last one that counted is remembered.
    if (!['unsaved', 'keeping'].includes(where.place)) last.current = where;
    if (announcement !== null) setSaid(announcement);
  }, [where]);
  return (
    <p role="status" className="visually-hidden">
      {said}
    </p>
  );
}
