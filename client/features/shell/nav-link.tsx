import { useLocation } from 'react-router-dom';
import { toAriaCurrent, type NavigationLink } from './navigation.js';

interface NavLinkProps {
  readonly link: NavigationLink;
  readonly className?: string;
}

/** A navigation link that knows whether its page is the one shown. */
export function NavLink({ link, className = 'nav-link' }: NavLinkProps) {
  const { pathname } = useLocation();
  return (
    <a href={link.to} className={className} aria-current={toAriaCurrent(link.to, pathname)}>
      {link.label}
    </a>
  );
}

/** Navigation links as list items. */
export function NavItems({
  links,
  className,
}: {
  readonly links: readonly NavigationLink[];
  readonly className?: string;
}) {
  return links.map((link) => (
    <li key={link.to}>
      <NavLink link={link} className={className} />
    </li>
  ));
}
