import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { LostPage } from '../../features/shell/lost-page.js';
import { Head } from '../../lib/head.js';
import { logError } from '../../lib/log-error.js';

/** The page for any path that is no route (product.md 2.15). */
export function Component() {
  const { pathname } = useLocation();
  useEffect(() => {
    logError('404: there is no page at', pathname);
  }, [pathname]);
  return (
    <>
      <Head title="Page not found" description="There is no page at this address." isHidden />
      <LostPage
        eyebrow="404"
        title="Oops! Page not found"
        text="Nothing is plugged in at this address. It may have moved, or the link that brought you here has a typo."
      >
        <ButtonLink to={paths.home}>Return to Home</ButtonLink>
        <ButtonLink to={paths.contact} kind="line">
          Contact Us
        </ButtonLink>
      </LostPage>
    </>
  );
}
