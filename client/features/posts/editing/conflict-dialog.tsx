import { useMemo, useRef, useState } from 'react';
import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/modal.js';
import { Notice } from '../../../components/notice.js';
import { useAdminApi } from '../../../lib/admin-context.js';
import { useSite } from '../../../lib/site-context.js';
import {
  combine,
  findUnchosen,
  isLeftOut,
  mergeForms,
  toVersions,
  type Choice,
  type Choices,
  type FieldMerge,
  type Versions,
} from './merge-forms.js';
import { MergeView } from './merge-view.js';
import type { SaverState } from './saver.js';
import type { Conflict } from './saving-state.js';
import { toDateWords } from './zoned-time.js';

/** A way to end a conflict. */
export type Resolution =
  | { readonly kind: 'mine' | 'theirs' }
  | {
      readonly kind: 'merged';
      readonly fields: Versions['mine'];
      readonly leftOut: { readonly mine: boolean; readonly theirs: boolean };
    };

interface ConflictDialogProps {
  readonly state: SaverState;
  /** How the post stands now, and where the text in the form began. */
  readonly conflict: Conflict;
  /** Answers false when a text could not be put aside on this device. */
  readonly onResolve: (resolution: Resolution, isForced: boolean) => boolean;
  /** For a post that a colleague deleted: brings it back, then keeps mine. */
  readonly onBringBack: () => void;
  readonly onClose: () => void;
}

/** Somebody else changed the post meanwhile: shows who changed what, puts it together, and throws nothing away. */
export function ConflictDialog({ state, conflict, onResolve, onBringBack, onClose }: ConflictDialogProps) {
  const { timeZone } = useSite();
  const { person } = useAdminApi();
  const { decision, date } = state;
  const { current } = conflict;
  const writer = current.working_copy?.kept_by ?? current.saved_by;
  const isSelf = writer === person.email;
  const who = isSelf ? 'You' : (writer ?? 'Somebody else');
  if (current.state === 'trashed') {
    // Who deletes a post has seldom written it.
    const remover = current.deleted_by === person.email ? 'You' : (current.deleted_by ?? 'Somebody else');
    return <DeletedDialog who={remover} onBringBack={onBringBack} onClose={onClose} />;
  }
  return (
    <Modal title="This post was changed meanwhile" isWide onClose={onClose}>
      <p>
        {isSelf ? 'You changed it elsewhere' : `${who} changed it`} after you began. Both versions are safe: nothing is
        saved yet, and the one that you do not keep stays on this device, where you can open or copy it.
      </p>
      <p>{describePublication(current.is_published, decision)}</p>
      {date && date.to !== current.published_date ? (
        <p>
          You chose the date {toDateWords(date.to, timeZone)}; it has {toDateWords(current.published_date, timeZone)}{' '}
          now. Saving yours changes that.
        </p>
      ) : null}
      <MergeForm
        state={state}
        conflict={conflict}
        who={isSelf ? 'you, elsewhere' : (writer ?? 'somebody else')}
        onResolve={onResolve}
        onClose={onClose}
      />
    </Modal>
  );
}

interface MergeFormProps extends Pick<ConflictDialogProps, 'state' | 'conflict' | 'onResolve' | 'onClose'> {
  readonly who: string;
}

function MergeForm({ state, conflict, who, onResolve, onClose }: MergeFormProps) {
  const { server, fields, held } = state;
  const versions = useMemo(() => toVersions({ server, fields, held }, conflict), [server, fields, held, conflict]);
  const merges = useMemo(() => mergeForms(versions), [versions]);
  const { choices, choose } = useChoices(merges);
  const [refused, setRefused] = useState<Resolution['kind'] | null>(null);
  const [isAsked, setIsAsked] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const unchosen = findUnchosen(merges, choices);

  const resolve = (resolution: Resolution) => {
    if (!onResolve(resolution, refused === resolution.kind)) setRefused(resolution.kind);
  };
  const handleMerge = () => {
    const [missing] = unchosen;
    setIsAsked(true);
    if (missing) return form.current?.querySelector<HTMLElement>(`[name="${missing.id}"]`)?.focus();
    const leftOut = { mine: isLeftOut('mine', merges, choices), theirs: isLeftOut('theirs', merges, choices) };
    resolve({ kind: 'merged', fields: combine(versions, merges, choices), leftOut });
  };

  return (
    <div className="dialog-body" ref={form}>
      {merges.length === 0 ? (
        <p className="quiet">Both versions say the same.</p>
      ) : (
        <MergeView merges={merges} choices={choices} who={who} onChoose={choose} />
      )}
      <div role="alert">
        {isAsked && unchosen.length > 0 ? (
          <Notice kind="error">
            {unchosen.length === 1 ? 'One passage was' : `${unchosen.length} passages were`} changed by both of you.
            Choose what to take of each.
          </Notice>
        ) : null}
        {refused ? (
          <Notice kind="error">
            This device has no room for the other version. Copy what you need from it, then choose again.
          </Notice>
        ) : null}
      </div>
      <div className="row">
        {merges.length === 0 ? null : <Button onClick={handleMerge}>Put both into the form</Button>}
        <Button kind="line" onClick={() => resolve({ kind: 'mine' })}>
          Keep mine
        </Button>
        <Button kind="line" onClick={() => resolve({ kind: 'theirs' })}>
          Take theirs
        </Button>
        <Button kind="line" onClick={onClose}>
          Continue editing
        </Button>
      </div>
    </div>
  );
}

/** The choices about a merge, which begin anew when either text changes. */
function useChoices(merges: readonly FieldMerge[]) {
  const [made, setMade] = useState<{ readonly merges: unknown; readonly choices: Choices }>({
    merges,
    choices: new Map(),
  });
  const choices: Choices = made.merges === merges ? made.choices : new Map();
  return {
    choices,
    choose: (id: string, choice: Choice) => setMade({ merges, choices: new Map(choices).set(id, choice) }),
  };
}

/** Which text is kept does not decide whether readers see the post, unless the switch was moved here. */
function describePublication(isPublished: boolean, decision: boolean | null): string {
  const now = isPublished ? 'The post is on the site' : 'The post is not on the site';
  if (decision === null || decision === isPublished) return `${now}, and stays so whichever version you keep.`;
  return decision
    ? `${now}; you moved the switch, so saving yours publishes it.`
    : `${now}; you moved the switch, so saving yours takes it off the site.`;
}

interface DeletedDialogProps {
  readonly who: string;
  readonly onBringBack: () => void;
  readonly onClose: () => void;
}

function DeletedDialog({ who, onBringBack, onClose }: DeletedDialogProps) {
  return (
    <Modal title="This post was deleted meanwhile" onClose={onClose}>
      <p>{who} deleted it after you began. Your text is still here, and it can be brought back as a draft with it.</p>
      <div className="row">
        <Button onClick={onBringBack}>Bring it back with my text</Button>
        <Button kind="line" onClick={onClose}>
          Continue editing
        </Button>
      </div>
    </Modal>
  );
}
