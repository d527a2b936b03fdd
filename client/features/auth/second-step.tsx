import type { Factor } from '@supabase/auth-js';
import { useId, useState, type ReactNode } from 'react';
import { paths } from '../../../src/shared/paths.js';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';
import { useAuthClient } from '../../lib/session.js';
import { AuthenticatorCodeForm } from './authenticator-code-form.js';
import { canUseKeys } from './describe-key-error.js';
import { RecoveryCodeForm } from './recovery-code-form.js';
import { SecurityKeyForm } from './security-key-form.js';
import { appsOf, hasRecoveryCodes, keysOf, nameOf, useFactors } from './use-factors.js';

/** Asks for one of the user's security keys or authenticator apps; the components that watch the session go on. */
export function SecondStep() {
  const getClient = useAuthClient();
  const { factors: known, hasFailed, reload } = useFactors();
  const factors = known && inOrder(known);
  const [isRecovering, setIsRecovering] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
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
  const factor = factors.find(({ id }) => id === chosen) ?? first;
  const isKey = factor.factor_type === 'webauthn';
  const form = { action: paths.auth, submitLabel: 'Continue', aside: leave };
  if (isRecovering)
    return (
      <Alternative
        label={`Use the ${isKey ? 'security key' : 'authenticator app'} instead`}
        onChoose={() => setIsRecovering(false)}
      >
        <RecoveryCodeForm {...form} />
      </Alternative>
    );
  const choice = factors.length > 1 ? <Choice factors={factors} chosen={factor.id} onChoose={setChosen} /> : null;
  const factorForm = isKey ? (
    <SecurityKeyForm key={factor.id} factorId={factor.id} aside={leave}>
      {choice}
    </SecurityKeyForm>
  ) : (
    <AuthenticatorCodeForm {...form} factorId={factor.id}>
      {choice}
    </AuthenticatorCodeForm>
  );
  if (!hasRecoveryCodes(known)) return factorForm;
  return (
    <Alternative label="Use a recovery code instead" onChoose={() => setIsRecovering(true)}>
      {factorForm}
    </Alternative>
  );
}

/** Keys come first, as they take one touch, but not in a browser that cannot ask for them. */
function inOrder(factors: readonly Factor[]): readonly Factor[] {
  const [apps, keys] = [appsOf(factors), keysOf(factors)];
  return canUseKeys() ? [...keys, ...apps] : [...apps, ...keys];
}

interface ChoiceProps {
  readonly factors: readonly Factor[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

function Choice({ factors, chosen, onChoose }: ChoiceProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{keysOf(factors).length > 0 ? 'Key or app' : 'App'}</label>
      <select id={id} value={chosen} onChange={({ target }) => onChoose(target.value)}>
        {factors.map((factor) => (
          <option key={factor.id} value={factor.id}>
            {nameOf(factor)}
          </option>
        ))}
      </select>
    </div>
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
