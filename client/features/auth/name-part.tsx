import type { GoTrueClient, User } from '@supabase/auth-js';
import { paths } from '../../../src/shared/paths.js';
import { InputField } from '../../components/field.js';
import { accountMessages } from '../../content/accounts.js';
import { useAuthClient } from '../../lib/session.js';
import { AccountForm, type FormAnswer } from './account-form.js';
import { AccountPart, PartFailure } from './account-part.js';
import type { CredentialValues } from './credentials-rules.js';
import { forgetEnded } from './describe-own-error.js';
import { useReading } from './use-reading.js';
import { refuse } from './use-sign-in.js';

/** The name of the user, as their account keeps it. */
export function NamePart() {
  const getClient = useAuthClient();
  const { found: user, hasFailed, reload } = useReading(readUser, 'The account could not be read:');

  const handleSend = async ({ name }: CredentialValues): Promise<FormAnswer> => {
    const auth = await getClient();
    const { error } = await auth.updateUser({ data: { full_name: name === '' ? null : name } });
    if (error) {
      await forgetEnded(auth, error);
      return refuse(accountMessages.failed, error);
    }
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

async function readUser(auth: GoTrueClient): Promise<User> {
  const { data, error } = await auth.getUser();
  if (error) throw error;
  return data.user;
}
