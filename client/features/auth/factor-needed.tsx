import { useLocation } from 'react-router-dom';
import { ButtonLink } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';
import { isLedHere } from '../../lib/led-here.js';
import { useIsSecured } from './use-is-secured.js';

/** Says why an administrator was led here, and offers the way back when a second factor was shown (decision 71). */
export function FactorNeeded() {
  const { state } = useLocation() as { readonly state: unknown };
  const isSecured = useIsSecured();
  if (!isLedHere(state)) return null;
  return isSecured ? (
    <div role="status" className="stack">
      <Notice kind="success">
        <p>{accountMessages.factorThere}</p>
      </Notice>
      <ButtonLink to={state.wanted}>Go on to the admin area</ButtonLink>
    </div>
  ) : (
    <Notice>
      <p>{accountMessages.factorNeeded}</p>
    </Notice>
  );
}
