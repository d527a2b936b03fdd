import { useId, useState, type ReactNode } from 'react';
import { paths } from '../../../src/shared/paths.js';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';
import { useAuthClient } from '../../lib/session.js';
import { AccountPage } from './account-page.js';
import { AuthenticatorCodeForm } from './authenticator-code-form.js';
import { RecoveryCodeForm } from './recovery-code-form.js';
import { appsOf, hasRecoveryCodes, nameOf, useFactors } from './use-factors.js';

/** The second step of signing in, instead of a page that needs it. Whoever cannot take it signs out. */
export function SecondStepPage() {
  return (
    <AccountPage
      title="One more step"
      lede="Your account asks for a code as well as the password."
      description="Enter the code of your authenticator app."
    >
      <SecondStep />
    </AccountPage>
  );
}

/** Asks for a code of one of the user's authenticator apps; the components that watch the session go on. */
export function SecondStep() {
  const getClient = useAuthClient();
  const { factors: known, hasFailed, reload } = useFactors();
  const factors = known && appsOf(known);
  const [isRecovering, setIsRecovering] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const id = useId();
  const signOut = async () => {
    const auth = await getClient();
    await auth.signOut({ scope: 'local' });
  };
  const leave = (
    <Button kind="line" onClick={() => void signOut()}>
      Sign out
    </Button>
  );
  const [first] = factors ?? [];
  const retry = async () => {
    const auth = await getClient();
    // The factor may be gone by now: another token says so.
    await auth.refreshSession();
    reload();
  };
  if (hasFailed || (factors && !first)) return <Unknown onRetry={() => void retry()}>{leave}</Unknown>;
  if (!factors || !first) return <p className="quiet">One moment...</p>;
  const factorId = chosen ?? first.id;
  const form = { action: paths.auth, submitLabel: 'Continue', aside: leave };
  if (isRecovering)
    return (
      <Alternative label="Use the authenticator app instead" onChoose={() => setIsRecovering(false)}>
        <RecoveryCodeForm {...form} />
      </Alternative>
    );
  const codeForm = (
    <AuthenticatorCodeForm {...form} factorId={factorId}>
      {factors.length > 1 ? (
        <div className="field">
          <label htmlFor={id}>App</label>
          <select id={id} value={factorId} onChange={({ target }) => setChosen(target.value)}>
            {factors.map((factor) => (
              <option key={factor.id} value={factor.id}>
                {nameOf(factor)}
              </option>
            ))}
          </select>
        </div>
      ) : null}
    </AuthenticatorCodeForm>
  );
  if (!hasRecoveryCodes(known)) return codeForm;
  return (
    <Alternative label="Use a recovery code instead" onChoose={() => setIsRecovering(true)}>
      {codeForm}
    </Alternative>
  );
}

interface AlternativeProps {
  readonly label: string;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

/** A form, and the way to another one below it. */
function Alternative({ label, onChoose, children }: AlternativeProps) {
  return (
    <div className="stack">
      {children}
      <button type="button" className="link account-alternative" onClick={onChoose}>
        {label}
      </button>
    </div>
  );
}

function Unknown({ onRetry, children }: { readonly onRetry: () => void; readonly children: ReactNode }) {
  return (
    <div className="stack" role="alert">
      <Notice kind="error">
        <p>{accountMessages.unreachable}</p>
      </Notice>
      <div className="row">
        <Button onClick={onRetry}>Try again</Button>
        {children}
      </div>
    </div>
  );
}
