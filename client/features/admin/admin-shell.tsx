import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { paths } from '../../../src/shared/paths.js';
import { START_PATH } from '../../../src/shared/start-path.js';
import type { Role } from '../../../src/shared/contracts/roles.js';
import { linksFor } from './navigation.js';

/** The number of what waits in an area, beside its name, and that in words. */
export interface AreaCount {
  readonly count: number;
  /** Like '2 new'; none if empty. */
  readonly note: string;
  /** For those who hear it. */
  readonly words: string;
}

interface AdminShellProps {
  /** The role of who is here; null until it is known. */
  readonly role: Role | null;
  /** Counts by the address of their area. */
  readonly counts?: Readonly<Record<string, AreaCount>>;
  readonly brand: ReactNode;
  /** The account menu, at the end of the header. */
  readonly account: ReactNode;
  /** Under the page. */
  readonly foot: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every admin screen: skip link, header with the areas, main landmark, a slim footer. */
export function AdminShell({ role, counts = {}, brand, account, foot, children }: AdminShellProps) {
  const { pathname } = useLocation();
  const areas = useRef<HTMLUListElement>(null);
  const isCounted = Object.keys(counts).length > 0;
  useEffect(() => {
    // Before its font is there, a line is shorter or longer, and areas and counts that come push others on.
    void document.fonts.ready.then(() => showCurrent(areas.current));
  }, [pathname, role, isCounted]);
  return (
    <div className="admin">
      <a className="skip-link btn btn-primary" href="#main">
        Skip to content
      </a>
      <header className="admin-header">
        <div className="wrap">
          {brand}
          <nav aria-label="Admin" className="admin-nav">
            <ul role="list" ref={areas}>
              {linksFor(role).map(({ to, label }) => (
                <li key={to}>
                  <a href={to} className="nav-link" aria-current={isWithin(to, pathname) ? 'page' : undefined}>
                    {label}
                    <Count of={counts[to]} />
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div className="admin-account">{account}</div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="wrap">
        {children}
      </main>
      <footer className="admin-foot">
        <div className="wrap">
          <a className="link" href={paths.home}>
            Back to the site
          </a>
          {foot}
        </div>
      </footer>
    </div>
  );
}

function Count({ of }: { readonly of: AreaCount | undefined }) {
  if (of === undefined || of.count === 0) return null;
  return (
    <>
      <span className={of.note === '' ? 'nav-count' : 'nav-count nav-count-new'} aria-hidden="true">
        {of.count}
        {of.note === '' ? '' : ` · ${of.note}`}
      </span>
      <span className="visually-hidden">, {of.words}</span>
    </>
  );
}

function isWithin(area: string, pathname: string): boolean {
  // Every area is below the start page.
  return pathname === area || (area !== START_PATH && pathname.startsWith(`${area}/`));
}

/** Scrolls the areas, and nothing else, to the current one: on a phone it may be behind the edge. */
function showCurrent(areas: HTMLElement | null): void {
  const current = areas?.querySelector<HTMLElement>('[aria-current]');
  if (!areas || !current) return;
  areas.scrollLeft = current.offsetLeft - areas.offsetLeft - (areas.clientWidth - current.offsetWidth) / 2;
}
