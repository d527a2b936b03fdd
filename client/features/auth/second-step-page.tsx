import { LostPart } from '../../components/lost-part.js';
import { lazyPart } from '../../lib/lazy-part.js';
import { AccountPage } from './account-page.js';

// Only for those who have given their password.
const SecondStep = lazyPart(async () => (await import('./second-step.js')).SecondStep, LostPart);

/** The second step of signing in, instead of a page that needs it. Whoever cannot take it signs out. */
export function SecondStepPage() {
  return (
    <AccountPage
      title="One more step"
      lede="Your account asks for a second proof that it is you."
      description="Show your second factor, as the code of an authenticator app."
    >
      <SecondStep />
    </AccountPage>
  );
}
