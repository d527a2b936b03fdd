import type { AdminPostListItem } from '../../../../src/shared/contracts/admin-posts.js';
import { stateWords } from '../../../content/admin-posts.js';
import { formatMoment } from '../../../lib/format-moment.js';
import { useSite } from '../../../lib/site-context.js';

/** The state of a post in words, with a lamp beside them. */
export function StateLabel({ state, scheduled_at: at }: Pick<AdminPostListItem, 'state' | 'scheduled_at'>) {
  const { timeZone } = useSite();
  return (
    <span className={`state state-${state}`}>
      {state === 'scheduled' && at ? `Scheduled for ${formatMoment(at, timeZone)}` : stateWords[state]}
    </span>
  );
}
