import { paths } from '../../../src/shared/paths.js';
import { accountMessages } from '../../content/accounts.js';
import { AccountForm } from '../../features/auth/account-form.js';
import { AccountPage } from '../../features/auth/account-page.js';
import { useCodeOffer } from '../../features/auth/code-offer.js';
import { EmailField } from '../../features/auth/fields.js';
import { isAboutMail, refuse } from '../../features/auth/use-sign-in.js';
import { useAuthClient } from '../../lib/session.js';

/** Asks for the mail that leads to a new password. Its answer never tells whether the account exists. */
export function Component() {
  const getClient = useAuthClient();
  const offerCode = useCodeOffer();

  const handleSend = async ({ email }: { readonly email: string }) => {
    const auth = await getClient();
    const redirectTo = new URL(paths.authNewPassword, location.origin).href;
    const { error } = await auth.resetPasswordForEmail(email, { redirectTo });
    if (error && !isAboutMail(error)) return refuse(accountMessages.failed, error);
    const action = offerCode({ purpose: 'recovery', email });
    return { kind: 'success', text: accountMessages.recoverySent, action } as const;
  };

  return (
    <AccountPage
      title="Forgot your password?"
      lede="Enter the email address of your account. We’ll send you a link to choose a new one."
      description="Ask for a link to choose a new password."
    >
      <AccountForm
        contract="address"
        action={paths.authRecover}
        submitLabel="Send the link"
        busyLabel="Sending..."
        onSend={handleSend}
        aside={
          <a className="link" href={paths.auth}>
            Back to sign in
          </a>
        }
      >
        {(problems) => <EmailField problems={problems} />}
      </AccountForm>
    </AccountPage>
  );
}
