import type { ComponentProps, ReactNode } from 'react';
import { Icon } from './icon.js';
import { signs } from './signs.js';

interface ButtonLook {
  /** 'primary' once per view, 'line' beside it. */
  readonly kind?: 'primary' | 'line';
  readonly isSmall?: boolean;
}

function buttonClass({ kind = 'primary', isSmall = false }: ButtonLook, className?: string): string {
  return ['btn', `btn-${kind}`, isSmall && 'btn-small', className].filter(Boolean).join(' ');
}

interface ButtonLinkProps extends ButtonLook, Omit<ComponentProps<'a'>, 'href'> {
  /** An address of this site. */
  readonly to: string;
}

/** A link to a page of this site that looks like a button. */
export function ButtonLink({ to, kind, isSmall, className, ...link }: ButtonLinkProps) {
  return <a {...link} href={to} className={buttonClass({ kind, isSmall }, className)} />;
}

type ButtonProps = ButtonLook & ComponentProps<'button'>;

/** A button that does something on this page; `type` is 'button' unless told otherwise. */
export function Button({ kind, isSmall, className, type = 'button', ...button }: ButtonProps) {
  return <button {...button} type={type} className={buttonClass({ kind, isSmall }, className)} />;
}

interface ExternalLinkProps {
  readonly href: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A link that leaves the site in a new tab, and says so to everyone. */
export function ExternalLink({ href, className = 'link', children }: ExternalLinkProps) {
  return (
    <a href={href} className={className} target="_blank" rel="noopener">
      {children}
      <Icon shape={signs.external} />
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
