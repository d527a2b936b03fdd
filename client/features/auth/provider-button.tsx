import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { useSite } from '../../lib/site-context.js';
import { useIsHydrated } from '../../lib/use-is-hydrated.js';
import { readRefusal } from './provider-words.js';

/** Leads to the provider that people can sign in with, where there is one. */
export function ProviderButton() {
  const { accounts, url } = useSite();
  if (accounts.provider === null) return null;
  const query = new URLSearchParams({ provider: accounts.provider.id, redirect_to: `${url}${paths.auth}` });
  return (
    <div className="account-provider">
      <p className="quiet small">or</p>
      <ButtonLink kind="line" to={`${accounts.url.replace(/\/$/, '')}/authorize?${query.toString()}`}>
        Sign in with {accounts.provider.name}
      </ButtonLink>
    </div>
  );
}

/** Says in words why a sign-in with the provider, or a link to it, came back without success. */
export function ProviderRefusal() {
  const { accounts } = useSite();
  const { search, pathname, state } = useLocation() as {
    readonly search: string;
    readonly pathname: string;
    readonly state: unknown;
  };
  const navigate = useNavigate();
  const isHydrated = useIsHydrated();
  const name = accounts.provider?.name ?? 'The provider';
  const told = isHydrated ? readRefusal(search, name) : null;
  // The address is not for coming back to.
  useEffect(() => {
    if (told !== null) void navigate(pathname, { replace: true, state: { refusal: told } });
  }, [told, navigate, pathname]);
  const text = told ?? (isHydrated && isRefused(state) ? state.refusal : null);
  return <div role="alert">{text === null ? null : <Notice kind="error">{text}</Notice>}</div>;
}

function isRefused(state: unknown): state is { readonly refusal: string } {
  return typeof state === 'object' && state !== null && 'refusal' in state && typeof state.refusal === 'string';
}
