import { createContext, useContext, type ReactNode } from 'react';
import type { Site } from '../../src/shared/contracts/site.js';

const SiteContext = createContext<Site | null>(null);

/** Makes the company's identity available to every component below. */
export function SiteProvider({ site, children }: { readonly site: Site; readonly children: ReactNode }) {
  return <SiteContext value={site}>{children}</SiteContext>;
}

/** The company's identity. */
export function useSite(): Site {
  const site = useContext(SiteContext);
  if (!site) throw new Error('useSite needs a SiteProvider above it');
  return site;
}
