import { accountMessages } from '../../content/accounts.js';
import { formatDay } from '../../lib/format-moment.js';
import { useAuthClient } from '../../lib/session.js';
import { useSite } from '../../lib/site-context.js';
import { AddKey } from './add-key.js';
import { OutcomePart, useOutcome, type Outcome } from './outcome-part.js';
import { describeKeyError } from './describe-key-error.js';
import { suggestName } from './name-form.js';
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
export function SecurityKeys({ factors, reload, names, noteName }: Factors) {
  const getClient = useAuthClient();
  const { hasSecurityKeys } = useSite().accounts;
  const { outcome, tell } = useOutcome(ID);
  const removeFactor = useRemoveFactor();
  const keys = keysOf(factors ?? []);

  const handleChange = (change: Outcome) => {
    tell(change);
    reload();
  };
  const add = async (friendlyName: string) => {
    const auth = await getClient();
    await removeUnfinishedFactors(auth);
    const { error } = await auth.mfa.webauthn.register({ friendlyName });
    return error ? describeKeyError(error) : null;
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
              detail={`added ${formatDay(key.created_at, undefined)}`}
              note={isLastBesideCodes(factors ?? []) ? accountMessages.codesGoWithKey : null}
              remove={() => removeFactor(key.id)}
              onRemoved={() => handleChange(accountMessages.keyRemoved)}
            />
          ))}
        </ul>
      ) : null}
      {hasSecurityKeys && factors ? (
        <AddKey
          addLabel="Add a security key"
          nameLabel="Name of the key"
          suggestedName={suggestName('Security key', names)}
          submitLabel="Register the key"
          busyLabel="Touch your key..."
          add={add}
          onAdded={(name) => {
            noteName(name);
            handleChange(accountMessages.keyAdded);
          }}
        />
      ) : null}
    </OutcomePart>
  );
}
