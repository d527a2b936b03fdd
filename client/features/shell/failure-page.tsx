import { useEffect } from 'react';
import { useRouteError } from 'react-router-dom';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { PhoneLink } from '../../components/facts-list.js';
import { focusPage } from '../../lib/focus-page.js';
import { Head } from '../../lib/head.js';
import { logError } from '../../lib/log-error.js';
import { LostPartError } from '../../lib/lost-part.js';
import { useSite } from '../../lib/site-context.js';
import { LostPage } from './lost-page.js';

/** The page for failures in the browser, such as a part of a page that could not be fetched. */
export function FailurePage() {
  const error = useRouteError();
  const { phone } = useSite();
  useEffect(() => {
    logError('The page could not be shown:', error);
    focusPage();
    if (error instanceof LostPartError) void loadAnew();
  }, [error]);
  return (
    <>
      <Head title="Something came loose" description="This page could not be shown." isHidden />
      <LostPage
        title="Something came loose"
        text={
          <>
            This page could not be shown. The fault is on our side, or on the line between us. Loading it again usually
            helps. In a hurry? Call <PhoneLink phone={phone} />.
          </>
        }
      >
        {/* A full page load on purpose: it fetches everything anew. */}
        <a className="btn btn-primary" href="" data-full-load>
          Load the page again
        </a>
        <ButtonLink kind="line" to={paths.home} data-full-load>
          Return to Home
        </ButtonLink>
      </LostPage>
    </>
  );
}

/**
 * The scripts of an open tab are gone once its release is replaced: the page comes with those of the new one, and can be read
 * without any. While the server does not answer, this page stays, as browsers would show one of their own.
 */
async function loadAnew(): Promise<void> {
  const { href } = location;
  const answer = await fetch(href, { method: 'HEAD' }).catch(() => null);
  // People may have gone on meanwhile.
  if (answer !== null && answer.status < 500 && location.href === href) location.reload();
}
