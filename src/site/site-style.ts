import { hash } from 'node:crypto';
import { toAccentTokens, type AccentTokens } from '../shared/accent.js';
import type { Site, SiteLogo } from '../shared/contracts/site.js';

/** The part of the style sheet that is the company's own, behind that of the build. */
export interface SiteStyle {
  /** Rules that come after all others of the site. */
  readonly text: string;
  /** Names the text: 16 hexadecimal digits. */
  readonly digest: string;
}

const known = new WeakMap<Site, SiteStyle | null>();

/** Returns the rules of a site; null where it looks as it came. Pages and the policy of their answers come from one call. */
export function toSiteStyle(site: Site): SiteStyle | null {
  let style = known.get(site);
  if (style === undefined) {
    const text = [
      site.accent === undefined ? '' : writeAccent(site.accent),
      site.logo === undefined ? '' : writeLogo(site.logo),
    ].join('');
    style = text === '' ? null : { text, digest: hash('sha256', text).slice(0, 16) };
    known.set(site, style);
  }
  return style;
}

/** The selectors are those of client/styles/tokens.css and print.css, so that each rule wins where that one did. */
function writeAccent(accent: string): string {
  const { light, dark } = toAccentTokens(accent);
  const ofDark = writeTokens(dark);
  return [
    `:root{${writeTokens(light)}}`,
    `@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${ofDark}}}`,
    `:root[data-theme=dark]{${ofDark}}`,
    `@media print{:root:root:root{--primary:${light.primary};--primary-soft:white;--ink-panel-accent:${light.primary}}}`,
  ].join('');
}

/**
 * The logo takes no more of the header than the navigation leaves it; beside a name it is a mark. As it has its size
 * from its attributes, nothing moves when it comes.
 */
function writeLogo({ hasName, dark }: SiteLogo): string {
  const [narrow, wide] = hasName ? ['10rem,42vw', '15rem'] : ['6rem,20vw', '9rem'];
  const inDark = (theme: string) => `:root${theme} .brand-light{display:none}:root${theme} .brand-dark{display:block}`;
  return [
    `.brand img{flex:none;max-width:min(${narrow})}@media (min-width:80rem){.brand img{max-width:${wide}}}`,
    ...(dark === undefined
      ? []
      : [
          '.brand-dark{display:none}',
          `@media screen and (prefers-color-scheme:dark){${inDark(':not([data-theme=light])')}}`,
          `@media screen{${inDark('[data-theme=dark]')}}`,
        ]),
  ].join('');
}

function writeTokens(tokens: AccentTokens): string {
  return Object.entries(tokens)
    .map(([name, color]) => `--${name}:${color}`)
    .join(';');
}
