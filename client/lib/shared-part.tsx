import { createContext, createElement, useContext, type ReactNode } from 'react';
import { PlaceProvider, usePlace } from './place.js';
import { SiteProvider, useSite } from './site-context.js';

/** Gives the HTML of a part; the key names it and all that it depends on. */
export type PartWriter = (key: string, part: ReactNode) => string;

const PartWriterContext = createContext<PartWriter | null>(null);

/** Lets parts be written once. Only the server has this: browsers need every part's components. */
export const PartWriterProvider = PartWriterContext;

interface SharedPartProps {
  readonly as: 'header' | 'footer';
  /** Names the part and, beside the company's identity, everything that it depends on when the server renders it. */
  readonly partKey: string;
  readonly className: string;
  readonly 'data-busy'?: true | undefined;
  readonly children: ReactNode;
}

/**
 * What many pages have in common: the server renders its contents once per key and process, and inserts the result
 * (docs/decisions/0028). Inside, ids have to be given instead of made, because made ones count what is around them; and
 * instead of the router's location there is {@link usePlace}.
 */
export function SharedPart({ as, partKey, children, ...props }: SharedPartProps) {
  const writePart = useContext(PartWriterContext);
  const site = useSite();
  const place = usePlace();
  if (!writePart) return createElement(as, props, children);
  const part = (
    <SiteProvider site={site}>
      <PlaceProvider value={place}>{children}</PlaceProvider>
    </SiteProvider>
  );
  return createElement(as, { ...props, dangerouslySetInnerHTML: { __html: writePart(partKey, part) } });
}
