import { createContext, useContext, type ReactNode } from 'react';
import type { PageEdits } from '../../src/shared/contracts/page-texts/page-edits.js';
import type { Site } from '../../src/shared/contracts/site.js';

interface SiteContent {
  readonly site: Site;
  /** The texts of the page that are not as they came. */
  readonly edits?: PageEdits | undefined;
  /** The year in which the server rendered the page: on New Year's night the visitor's clock may say another. */
  readonly year: number;
}

const SiteContext = createContext<SiteContent | null>(null);

/** Makes the company's identity and the current year available to every component below. */
export function SiteProvider({ site, edits, year, children }: SiteContent & { readonly children: ReactNode }) {
  return <SiteContext value={{ site, edits, year }}>{children}</SiteContext>;
}

/** The company's identity. */
export function useSite(): Site {
  return useSiteContent().site;
}

/** The current year, the same on the server and while hydrating. */
export function useYear(): number {
  return useSiteContent().year;
}

/** The texts that are not as they came, of the page that the server rendered. */
export function useEdits(): PageEdits | undefined {
  return useSiteContent().edits;
}

function useSiteContent(): SiteContent {
  const content = useContext(SiteContext);
  if (!content) throw new Error('useSite and useYear need a SiteProvider above them');
  return content;
}
