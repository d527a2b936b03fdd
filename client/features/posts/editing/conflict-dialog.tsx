import { useState } from 'react';
import type { AdminPost, PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/modal.js';
import { Notice } from '../../../components/notice.js';
import { useSite } from '../../../lib/site-context.js';
import { Compare } from './compare.js';
import { toForm } from './fields.js';
import type { DateDecision } from './publication.js';
import { toDateWords } from './zoned-time.js';

interface ConflictDialogProps {
  readonly mine: PostForm;
  /** How the switch was moved here; null when it was not. */
  readonly decision: boolean | null;
  /** The date that was typed here; null without one. */
  readonly date: DateDecision | null;
  readonly current: AdminPost;
  /** Answers false when the text that loses could not be put aside on this device. */
  readonly onResolve: (choice: 'mine' | 'theirs', isForced: boolean) => boolean;
  /** For a post that a colleague deleted: brings it back, then keeps mine. */
  readonly onBringBack: () => void;
  readonly onClose: () => void;
}

/** Somebody else changed the post meanwhile: shows both versions and throws neither away. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { mine, decision, date, current, onResolve, onBringBack, onClose } = props;
  const { timeZone } = useSite();
  const [refused, setRefused] = useState<'mine' | 'theirs' | null>(null);
  const theirs = toForm(current);
  const choose = (choice: 'mine' | 'theirs') => {
    if (!onResolve(choice, refused === choice)) setRefused(choice);
  };
  const who = current.working_copy?.kept_by ?? current.saved_by ?? 'Somebody else';
  if (current.state === 'trashed') return <DeletedDialog who={who} onBringBack={onBringBack} onClose={onClose} />;
  return (
    <Modal title="This post was changed meanwhile" isWide onClose={onClose}>
      <p>
        {who} changed it after you began. Both versions are safe: the one that you do not keep stays on this device,
        where you can open or copy it.
      </p>
      <p>{describePublication(current.is_published, decision)}</p>
      {date && date.to !== current.published_date ? (
        <p>
          You chose the date {toDateWords(date.to, timeZone)}; it has {toDateWords(current.published_date, timeZone)}{' '}
          now. Saving yours changes that.
        </p>
      ) : null}
      <Compare before={theirs} beforeName="theirs" after={mine} afterName="yours" />
      <div role="alert">
        {refused ? (
          <Notice kind="error">
            This device has no room for the other version. Copy what you need from it, then choose again.
          </Notice>
        ) : null}
      </div>
      <div className="row">
        <Button onClick={onClose}>Continue editing</Button>
        <Button kind="line" onClick={() => choose('mine')}>
          Keep mine
        </Button>
        <Button kind="line" onClick={() => choose('theirs')}>
          Take theirs
        </Button>
      </div>
    </Modal>
  );
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
