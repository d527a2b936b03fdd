import { LOST_PART, RELOAD } from '../lib/lost-part.js';
import { Notice } from './notice.js';

/** Stands in for a part of the page whose script did not come, with the way on. */
export function LostPart() {
  return (
    <div role="alert">
      <Notice kind="error">
        <p>{LOST_PART}</p>
        <p>
          <a className="link" href="" data-full-load>
            {RELOAD}
          </a>
        </p>
      </Notice>
    </div>
  );
}
