/**
 * Tells a password manager whose password a form asks for. Without it, the text before the password counts as the name of
 * the account: it would be filled in there, and what was typed kept as the name.
 */
export function OwnerField({ email }: { readonly email: string }) {
  return <input type="email" autoComplete="username" value={email} readOnly hidden />;
}
