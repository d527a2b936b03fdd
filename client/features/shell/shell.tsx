import type { ReactNode } from 'react';
import { ScrollRestoration } from 'react-router-dom';
import { RouteFocus } from './route-focus.js';
import { SiteFooter } from './site-footer.js';
import { SiteHeader } from './site-header.js';

/** What surrounds every public page: skip link, header, main landmark, footer. */
export function Shell({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <a className="skip-link btn btn-primary" href="#main">
        Skip to content
      </a>
      <SiteHeader />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <SiteFooter />
      <RouteFocus />
      <ScrollRestoration />
    </>
  );
}
