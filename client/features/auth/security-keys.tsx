import { useState } from 'react';
import { Button } from '../../components/button.js';
import { accountMessages } from '../../content/accounts.js';
import { useAuthClient } from '../../lib/session.js';
import { useSite } from '../../lib/site-context.js';
import { OutcomePart, useOutcome, type Outcome } from './outcome-part.js';
import { canUseKeys, describeKeyError } from './describe-key-error.js';
import { NameForm, suggestName } from './name-form.js';
import { RemovableRow } from './removable-row.js';
import {
  isLastBesideCodes,
  keysOf,
  nameOf,
  removeUnfinishedFactors,
  useRemoveFactor,
  type Factors,
} from './use-factors.js';

const ID = 'account-keys';

/** The security keys of the signed-in user. Where they are switched off, those that there are can be taken away. */
export function SecurityKeys({ factors, reload }: Factors) {
  const { hasSecurityKeys } = useSite().accounts;
  const { outcome, tell } = useOutcome(ID);
  const removeFactor = useRemoveFactor();
  const keys = keysOf(factors ?? []);

  const handleChange = (change: Outcome) => {
    tell(change);
    reload();
  };

  if (!hasSecurityKeys && keys.length === 0 && outcome === null) return null;
  return (
    <OutcomePart id={ID} title="Security keys" outcome={outcome}>
      <p className="quiet">
        {keys.length > 0
          ? 'Signing in asks for your password, and takes one of these keys.'
          : 'A key that you plug in, or hold to your phone. It works on this site alone, so nobody can trick you out of it.'}
      </p>
      {keys.length > 0 ? (
        <ul role="list" className="account-list">
          {keys.map((key) => (
            <RemovableRow
              key={key.id}
              name={nameOf(key)}
              addedAt={key.created_at}
              note={isLastBesideCodes(factors ?? []) ? accountMessages.codesGoWithKey : null}
              remove={() => removeFactor(key.id)}
              onRemoved={() => handleChange(accountMessages.keyRemoved)}
            />
          ))}
        </ul>
      ) : null}
      {hasSecurityKeys && factors ? (
        <NewKey taken={factors.map(nameOf)} onAdded={() => handleChange(accountMessages.keyAdded)} />
      ) : null}
    </OutcomePart>
  );
}

interface NewKeyProps {
  readonly taken: readonly string[];
  readonly onAdded: () => void;
}

function NewKey({ taken, onAdded }: NewKeyProps) {
  const getClient = useAuthClient();
  const [isAdding, setIsAdding] = useState(false);

  const add = async (friendlyName: string) => {
    const auth = await getClient();
    await removeUnfinishedFactors(auth);
    const { error } = await auth.mfa.webauthn.register({ friendlyName });
    if (error) return describeKeyError(error);
    setIsAdding(false);
    onAdded();
    return null;
  };

  if (!canUseKeys()) return <p className="small">{accountMessages.keysUnknown}</p>;
  if (!isAdding) {
    return (
      <p>
        <Button kind="line" onClick={() => setIsAdding(true)}>
          Add a security key
        </Button>
      </p>
    );
  }
  return (
    <NameForm
      label="Name of the key"
      suggestedName={suggestName('Security key', taken)}
      submitLabel="Register the key"
      busyLabel="Touch your key..."
      onSend={add}
      aside={
        <Button kind="line" onClick={() => setIsAdding(false)}>
          Cancel
        </Button>
      }
    />
  );
}
