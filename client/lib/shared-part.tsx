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
 * A part that many pages share. The server renders its contents once per key and process, and inserts the result
 * (decision 28). Inside it, ids must be given instead of generated, because generated ones count the elements around
 * them, and {@link usePlace} replaces the router's location.
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
