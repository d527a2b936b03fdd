import type { ReactNode } from 'react';
import { useSite } from '../../lib/site-context.js';
import { SiteFooter } from './site-footer.js';
import { SiteHeader } from './site-header.js';

interface ShellProps {
  /** At the end of the header, beside the navigation. */
  readonly headerEnd?: ReactNode;
  /** The same for small screens, in the side menu. */
  readonly sideMenuEnd?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every public page: skip link, header, main landmark, footer. */
export function Shell({ headerEnd, sideMenuEnd, children }: ShellProps) {
  const { preview } = useSite();
  return (
    <>
      <a className="skip-link btn btn-primary" href="#main">
        Skip to content
      </a>
      {preview ? <p className="notice">Preview. This is not published yet.</p> : null}
      <SiteHeader end={headerEnd} sideMenuEnd={sideMenuEnd} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <SiteFooter />
    </>
  );
}
