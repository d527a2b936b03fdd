import type { GoTrueClient, PasskeyListItem } from '@supabase/auth-js';
import { accountMessages } from '../../content/accounts.js';
import { formatDay } from '../../lib/format-moment.js';
import { logError } from '../../lib/log-error.js';
import { useAuthClient } from '../../lib/session.js';
import { AddKey } from './add-key.js';
import { OutcomePart, useOutcome, type Outcome } from './outcome-part.js';
import { describeOwnError } from './describe-own-error.js';
import { describeKeyError } from './describe-key-error.js';
import { suggestName } from './name-form.js';
import { RemovableRow } from './removable-row.js';
import { useReading } from './use-reading.js';

const ID = 'account-passkeys';

/** The passkeys of the signed-in user: adding them, and taking them away. */
export function Passkeys() {
  const getClient = useAuthClient();
  const { found: passkeys, hasFailed, reload } = useReading(readPasskeys, 'The passkeys could not be read:');
  const { outcome, tell } = useOutcome(ID);

  const handleChange = (change: Outcome) => {
    tell(change);
    reload();
  };
  const remove = async (passkeyId: string) => {
    const auth = await getClient();
    const { error } = await auth.passkey.delete({ passkeyId });
    // Gone already, by another tab, is gone.
    return error && error.status !== 404 ? await describeOwnError(auth, error) : null;
  };

  return (
    <OutcomePart id={ID} title="Passkeys" outcome={outcome} onRetry={hasFailed ? reload : null}>
      <p className="quiet">
        With a passkey you sign in by your fingerprint, your face or the PIN of your device, and type no password.
      </p>
      {passkeys?.length ? (
        <ul role="list" className="account-list">
          {passkeys.map((passkey) => (
            <RemovableRow
              key={passkey.id}
              name={nameOf(passkey)}
              detail={`added ${formatDay(passkey.created_at, undefined)}`}
              remove={() => remove(passkey.id)}
              onRemoved={() => handleChange(accountMessages.passkeyRemoved)}
            />
          ))}
        </ul>
      ) : null}
      {passkeys ? (
        <AddKey
          addLabel="Add a passkey"
          nameLabel="Name of the passkey"
          suggestedName={suggestName('Passkey', passkeys.map(nameOf))}
          submitLabel="Create the passkey"
          busyLabel="Waiting for your device..."
          add={async (name) => await registerPasskey(await getClient(), name)}
          onAdded={() => handleChange(accountMessages.passkeyAdded)}
        />
      ) : null}
    </OutcomePart>
  );
}

async function readPasskeys(auth: GoTrueClient): Promise<readonly PasskeyListItem[]> {
  const { data, error } = await auth.passkey.list();
  if (error) throw error;
  return data;
}

/** Registers a passkey of that name. Returns the problem, or null. */
async function registerPasskey(auth: GoTrueClient, friendlyName: string): Promise<string | null> {
  const { data, error } = await auth.registerPasskey();
  if (error) return describeKeyError(error);
  // It is good without a name as well.
  const { error: unnamed } = await auth.passkey.update({ passkeyId: data.id, friendlyName });
  if (unnamed) logError('The passkey could not be named:', unnamed);
  return null;
}

function nameOf({ friendly_name: name }: PasskeyListItem): string {
  return name || 'Passkey';
}
