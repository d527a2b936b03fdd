import type { User } from '@supabase/auth-js';
import { useEffect, useState } from 'react';
import { paths } from '../../../src/shared/paths.js';
import { InputField } from '../../components/field.js';
import { accountMessages } from '../../content/accounts.js';
import { logError } from '../../lib/log-error.js';
import { useAuthClient } from '../../lib/session.js';
import { AccountForm, type FormAnswer } from './account-form.js';
import { AccountPart, PartFailure } from './account-part.js';
import type { CredentialValues } from './credentials-rules.js';
import { refuse } from './use-sign-in.js';

/** The name of the user, as their account keeps it. */
export function NamePart() {
  const getClient = useAuthClient();
  const { user, hasFailed, reload } = useUser();

  const handleSend = async ({ name }: CredentialValues): Promise<FormAnswer> => {
    const { error } = await (await getClient()).updateUser({ data: { full_name: name === '' ? null : name } });
    if (error) return refuse(accountMessages.failed, error);
    return { kind: 'success', text: accountMessages.nameSaved };
  };

  return (
    <AccountPart id="account-name" title="Your name">
      {hasFailed ? <PartFailure text={accountMessages.unreachable} onRetry={reload} /> : null}
      {user ? (
        <AccountForm
          contract="name"
          action={paths.account}
          submitLabel="Save the name"
          busyLabel="Saving..."
          onSend={handleSend}
        >
          {(problems) => (
            <InputField
              label="Name"
              name="name"
              autoComplete="name"
              defaultValue={nameOf(user)}
              hint="Only you and whoever runs this site can see it."
              error={problems.name}
            />
          )}
        </AccountForm>
      ) : hasFailed ? null : (
        <p className="quiet">One moment...</p>
      )}
    </AccountPart>
  );
}

function nameOf({ user_metadata: { full_name: name } }: User): string {
  return typeof name === 'string' ? name : '';
}

function useUser() {
  const getClient = useAuthClient();
  const [user, setUser] = useState<User | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const [reading, setReading] = useState(0);
  useEffect(() => {
    const read = async () => {
      const { data, error } = await (await getClient()).getUser();
      if (error) throw error;
      setUser(data.user);
      setHasFailed(false);
    };
    read().catch((error: unknown) => {
      logError('The account could not be read:', error);
      setHasFailed(true);
    });
  }, [getClient, reading]);
  return { user, hasFailed, reload: () => setReading((count) => count + 1) };
}
