import { AuthenticatorApps } from './authenticator-apps.js';
import { Phones } from './phones.js';
import { RecoveryCodes } from './recovery-codes.js';
import { SecurityKeys } from './security-keys.js';
import { hasRecoveryCodes, useFactors } from './use-factors.js';

/** The second factors of the signed-in user; recovery codes for those who have another one that they can stand in for. */
export function SecondFactors() {
  const known = useFactors();
  return (
    <>
      <AuthenticatorApps {...known} />
      <SecurityKeys {...known} />
      <Phones {...known} />
      {known.factors?.length ? (
        <RecoveryCodes hasCodes={hasRecoveryCodes(known.factors)} onChange={known.reload} />
      ) : null}
    </>
  );
}
