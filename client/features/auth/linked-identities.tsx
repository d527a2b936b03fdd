import type { GoTrueClient, UserIdentity } from '@supabase/auth-js';
import { useState } from 'react';
import { paths } from '../../../src/shared/paths.js';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';
import { logError } from '../../lib/log-error.js';
import { useAuthClient } from '../../lib/session.js';
import { useSite } from '../../lib/site-context.js';
import { showToast } from '../../lib/toast.js';
import { describeAuthError } from './describe-auth-error.js';
import { describeOwnError } from './describe-own-error.js';
import { RemovableRow } from './removable-row.js';
import { useReading } from './use-reading.js';

/** The ways in which the user can sign in; where the site allows it, the provider can be linked, and one removed. */
export function LinkedIdentities() {
  const { provider, isLinkable } = useSite().accounts;
  const getClient = useAuthClient();
  const { found: identities, hasFailed, reload } = useReading(readIdentities, 'The ways to sign in could not be read:');
  const { link, failure } = useLinking();
  if (provider === null && !isLinkable) return null;
  const isLinked = identities?.some((identity) => identity.provider === provider?.id) ?? true;

  const handleRemoved = () => {
    showToast({ kind: 'success', ...accountMessages.identityRemoved });
    document.getElementById('account-identities')?.focus();
    reload();
  };

  return (
    <section className="account-part" aria-labelledby="account-identities">
      <h2 id="account-identities" tabIndex={-1}>
        Ways to sign in
      </h2>
      <div role="status">{hasFailed ? <Notice kind="error">{accountMessages.unreachable}</Notice> : null}</div>
      {identities?.length ? (
        <ul role="list" className="account-list">
          {identities.map((identity) => (
            <RemovableRow
              key={identity.identity_id}
              name={nameOf(identity, provider)}
              detail={String(identity.identity_data?.['email'] ?? '')}
              remove={
                isLinkable && identities.length > 1 ? async () => await unlink(await getClient(), identity) : null
              }
              onRemoved={handleRemoved}
            />
          ))}
        </ul>
      ) : null}
      {provider !== null && isLinkable && !isLinked ? (
        <p>
          <Button kind="line" onClick={() => void link(provider.id)}>
            Link {provider.name}
          </Button>
        </p>
      ) : null}
      <div role="alert">{failure ? <Notice kind="error">{failure}</Notice> : null}</div>
    </section>
  );
}

function nameOf(identity: UserIdentity, provider: { readonly id: string; readonly name: string } | null): string {
  if (identity.provider === 'email') return 'Email';
  if (identity.provider === 'phone') return 'Phone';
  return identity.provider === provider?.id ? provider.name : identity.provider;
}

async function readIdentities(auth: GoTrueClient): Promise<readonly UserIdentity[]> {
  const { data, error } = await auth.getUserIdentities();
  if (error) throw error;
  return data.identities;
}

function useLinking() {
  const getClient = useAuthClient();
  const [failure, setFailure] = useState<string | null>(null);
  const link = async (id: string) => {
    try {
      const auth = await getClient();
      const redirectTo = new URL(paths.account, location.origin).href;
      // Leads to the provider.
      const { error } = await auth.linkIdentity({ provider: id as `custom:${string}`, options: { redirectTo } });
      setFailure(error ? describeAuthError(error) : null);
    } catch (error) {
      logError('The provider could not be linked:', error);
      setFailure(accountMessages.unreachable);
    }
  };
  return { link, failure };
}

/** Removes an identity. Returns the problem, or null. */
async function unlink(auth: GoTrueClient, identity: UserIdentity): Promise<string | null> {
  const { error } = await auth.unlinkIdentity(identity);
  // Gone already, by another tab, is gone.
  if (error && error.code !== 'identity_not_found') return await describeOwnError(auth, error);
  await auth.refreshSession();
  return null;
}
