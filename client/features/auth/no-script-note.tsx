import { PhoneLink } from '../../components/facts-list.js';
import { Notice } from '../../components/notice.js';
import { useSite } from '../../lib/site-context.js';

/** Without JavaScript there are no accounts here, and a visitor should not find that out by trying. */
export function NoScriptNote() {
  const { phone } = useSite();
  return (
    <noscript>
      <Notice>
        <p>
          Accounts need JavaScript, which is turned off in your browser. For help, call <PhoneLink phone={phone} />.
        </p>
      </Notice>
    </noscript>
  );
}
