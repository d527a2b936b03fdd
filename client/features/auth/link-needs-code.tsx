import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { paths } from '../../../src/shared/paths.js';
import { useSession } from '../../lib/session.js';
import { SecondStepPage } from './second-step-page.js';

/** The link has signed in, but for the second factor. Whoever shows it goes on to the page that the link is for. */
export function LinkNeedsCode({ next }: { readonly next: string }) {
  const { status } = useSession();
  const navigate = useNavigate();
  useEffect(() => {
    if (status === 'signed-in') void navigate(next, { replace: true });
    if (status === 'signed-out') void navigate(paths.auth, { replace: true });
  }, [status, next, navigate]);
  return <SecondStepPage />;
}
