import type { Factor } from '@supabase/auth-js';
import { useId, useState, type ReactNode } from 'react';
import { paths } from '../../../src/shared/paths.js';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';
import { useAuthClient } from '../../lib/session.js';
import { showToast } from '../../lib/toast.js';
import { AuthenticatorCodeForm } from './authenticator-code-form.js';
import { canUseKeys } from './describe-key-error.js';
import { RecoveryCodeForm } from './recovery-code-form.js';
import type { SecondCodeFormProps } from './second-code-form.js';
import { SecurityKeyForm } from './security-key-form.js';
import { PhoneCodeForm } from './phone-code-form.js';
import {
  appsOf,
  FACTOR_NAMES,
  hasRecoveryCodes,
  keysOf,
  nameOf,
  phonesOf,
  useFactors,
  type PhoneFactor,
} from './use-factors.js';

/** A second factor that signing in asks for. */
type ShownFactor = Factor<'webauthn'> | Factor<'totp'> | PhoneFactor;

/** Asks for one of the user's security keys, authenticator apps or phones; the components that watch the session go on. */
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
  const goOn = async () => {
    // This form goes with its factor, and the message has to outlast it.
    showToast({ kind: 'error', title: accountMessages.signInFailed, text: accountMessages.factorGone });
    await retry();
    setIsRecovering(false);
    return accountMessages.factorGone;
  };
  if (hasFailed || (factors && !first)) return <Unknown onRetry={() => void retry()}>{leave}</Unknown>;
  if (!factors || !first) return <p className="quiet">One moment...</p>;
  const factor = factors.find(({ id }) => id === chosen) ?? first;
  const form = { action: paths.auth, submitLabel: 'Continue', aside: leave, onGone: goOn };
  if (isRecovering)
    return (
      <Alternative
        label={`Use the ${FACTOR_NAMES[factor.factor_type].toLowerCase()} instead`}
        onChoose={() => setIsRecovering(false)}
      >
        <RecoveryCodeForm {...form} />
      </Alternative>
    );
  const choice = factors.length > 1 ? <Choice factors={factors} chosen={factor.id} onChoose={setChosen} /> : null;
  const factorForm = <FactorForm {...form} factor={factor} choice={choice} />;
  if (!hasRecoveryCodes(known)) return factorForm;
  return (
    <Alternative label="Use a recovery code instead" onChoose={() => setIsRecovering(true)}>
      {factorForm}
    </Alternative>
  );
}

interface FactorFormProps extends SecondCodeFormProps {
  readonly factor: ShownFactor;
  /** Above the form, where there are several. */
  readonly choice: ReactNode;
}

function FactorForm({ factor, choice, ...form }: FactorFormProps) {
  switch (factor.factor_type) {
    case 'webauthn':
      return (
        <SecurityKeyForm key={factor.id} factorId={factor.id} aside={form.aside} onGone={form.onGone}>
          {choice}
        </SecurityKeyForm>
      );
    case 'totp':
      return (
        <AuthenticatorCodeForm {...form} factorId={factor.id}>
          {choice}
        </AuthenticatorCodeForm>
      );
    case 'phone':
      return (
        <PhoneCodeForm
          {...form}
          key={factor.id}
          factorId={factor.id}
          to={`the number ending in ${factor.phone.slice(-3)}`}
        >
          {choice}
        </PhoneCodeForm>
      );
  }
}

/** Keys come first, as they take one touch, but not in a browser that cannot ask for them. */
function inOrder(factors: readonly Factor[]): readonly ShownFactor[] {
  const [keys, others] = [keysOf(factors), [...appsOf(factors), ...phonesOf(factors)]];
  return canUseKeys() ? [...keys, ...others] : [...others, ...keys];
}

interface ChoiceProps {
  readonly factors: readonly ShownFactor[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}

function Choice({ factors, chosen, onChoose }: ChoiceProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{labelOf(factors)}</label>
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

/** Names the kinds that there are to choose from. */
function labelOf(factors: readonly ShownFactor[]): string {
  const [first, ...others] = new Set(factors.map(({ factor_type: type }) => FACTOR_NAMES[type]));
  return [first, ...others.map((name) => name.toLowerCase())].join(' or ');
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
