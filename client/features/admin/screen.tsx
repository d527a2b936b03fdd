import { useEffect, type ReactNode } from 'react';
import { focusPageIfWaiting } from '../../lib/focus-page.js';
import { useSite } from '../../lib/site-context.js';

/** Sets the title of the window, and keeps search engines out. */
export function AdminHead({ title }: { readonly title: string }) {
  const { name } = useSite();
  return (
    <>
      <title>{`${title} | ${name}`}</title>
      <meta name="robots" content="noindex" />
    </>
  );
}

interface ScreenHeadProps {
  /** The screen's h1, and the title of the window. */
  readonly title: string;
  readonly lede?: string;
  /** The actions of the screen, such as 'New Post'. */
  readonly children?: ReactNode;
}

/** The heading of a screen of the admin area, which moves the focus to the screen if a link led here. Stands first on it. */
export function ScreenHead({ title, lede, children }: ScreenHeadProps) {
  useEffect(focusPageIfWaiting, []);
  return (
    <>
      <AdminHead title={title} />
      <div className="screen-head">
        <div>
          <h1>{title}</h1>
          {lede ? <p className="quiet">{lede}</p> : null}
        </div>
        {children ? <div className="row">{children}</div> : null}
      </div>
    </>
  );
}
