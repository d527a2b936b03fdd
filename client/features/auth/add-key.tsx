import { useState } from 'react';
import { Button } from '../../components/button.js';
import { accountMessages } from '../../content/accounts.js';
import { canUseKeys } from './describe-key-error.js';
import { NameForm } from './name-form.js';

interface AddKeyProps {
  readonly addLabel: string;
  readonly nameLabel: string;
  readonly suggestedName: string;
  readonly submitLabel: string;
  readonly busyLabel: string;
  /** Has the browser make a key of that name. Returns the problem, or null. */
  readonly add: (name: string) => Promise<string | null>;
  /** Takes its name. */
  readonly onAdded: (name: string) => void;
}

/** Adds a security key or a passkey, which is named first. */
export function AddKey({ addLabel, nameLabel, suggestedName, submitLabel, busyLabel, add, onAdded }: AddKeyProps) {
  const [isAdding, setIsAdding] = useState(false);

  const handleSend = async (name: string) => {
    const problem = await add(name);
    if (problem !== null) return problem;
    setIsAdding(false);
    onAdded(name);
    return null;
  };

  if (!canUseKeys()) return <p className="small">{accountMessages.keysUnknown}</p>;
  if (!isAdding) {
    return (
      <p>
        <Button kind="line" onClick={() => setIsAdding(true)}>
          {addLabel}
        </Button>
      </p>
    );
  }
  return (
    <NameForm
      label={nameLabel}
      suggestedName={suggestedName}
      submitLabel={submitLabel}
      busyLabel={busyLabel}
      onSend={handleSend}
      aside={
        <Button kind="line" onClick={() => setIsAdding(false)}>
          Cancel
        </Button>
      }
    />
  );
}
