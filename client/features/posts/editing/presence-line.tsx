import { Button } from '../../../components/button.js';
import { useAdminApi } from '../../../lib/admin-context.js';
import { useSite } from '../../../lib/site-context.js';
import type { PostApi } from './post-api.js';
import { describeChange, describeOthers } from './presence-words.js';
import type { Saver, SaverState } from './saver.js';
import { isDirty } from './saving-state.js';
import { usePresence } from './use-presence.js';
import { describeAnswer, showFailure } from './use-saving-flow.js';

interface PresenceLineProps {
  readonly api: PostApi;
  readonly saver: Saver;
  readonly state: SaverState;
  /** The text of the others is in the form, or beside it in a dialog. */
  readonly onShown: () => void;
}

/** Says who else has the post open, and that they changed it (decision 74). */
export function PresenceLine({ api, saver, state, onShown }: PresenceLineProps) {
  const { person } = useAdminApi();
  const { postId } = saver;
  const { server, isOnline, trouble } = state;
  const canTell = server !== null && isOnline && (trouble === null || trouble.kind === 'failed');
  const seen = usePresence(api, postId, canTell);
  const { timeZone } = useSite();
  const others = seen ? describeOthers(seen) : '';
  const change = seen ? describeChange(seen, state, person.email, timeZone) : '';
  const handleShow = async () => {
    const failure = describeAnswer(await saver.follow(() => api.look(postId)));
    if (failure === null) onShown();
    else showFailure(failure);
  };
  return (
    <div role="status" className="presence-line">
      {others || change ? <p className="quiet">{[others, change].filter(Boolean).join(' ')}</p> : null}
      {change ? (
        <Button kind="line" isSmall onClick={() => void handleShow()}>
          {isDirty(state) ? 'Compare with yours' : 'Show it'}
        </Button>
      ) : null}
    </div>
  );
}
