/** The words for a refusal that came back in the address, by its code; `name` is that of the provider. */
const words = new Map<string, (name: string) => string>(
  Object.entries({
    access_denied: (name: string) => `You are not signed in: it was stopped at ${name}.`,
    bad_oauth_state: () =>
      'This sign-in took too long, was used before, or began in another browser. Please start it again here.',
    provider_email_needs_verification: (name: string) =>
      `${name} has not verified your email address. Have it verified there, then sign in again.`,
    email_address_not_provided: (name: string) =>
      `${name} did not tell us your email address, and an account here needs one.`,
    signup_disabled: () => 'There is no account for you here yet, and new ones are closed. Please ask us for one.',
    user_banned: () => 'This account is locked. Please call us.',
    identity_already_exists: (name: string) => `This sign-in of ${name} is linked to an account already.`,
    insufficient_aal: () => 'Enter the code of your second factor first, then link it again.',
    unexpected_failure: (name: string) => `${name} does not answer at the moment. Please try again in a few minutes.`,
  }),
);

/** Reads the refusal that the API puts into an address, as a sentence; null for an address without one. */
export function readRefusal(search: string, name: string): string | null {
  const told = new URLSearchParams(search);
  const code = told.get('error_code') ?? told.get('error');
  if (code === null) return null;
  return words.get(code)?.(name) ?? 'The sign-in did not work. Please try again.';
}
