import { escapeAttribute, escapeText, unescapeMarkup } from './markup-tree.js';

/** Addresses that are those of this installation. */
export interface OwnAddresses {
  /** Address of the site (PUBLIC_URL). */
  readonly siteUrl: string;
  /** Address at which browsers read images (S3_PUBLIC_URL), or undefined when the server serves them. */
  readonly publicBase: string | undefined;
}

/** As the sanitizer spells it: no value has a bracket. */
const IMAGE_OR_LINK = /<img src="([^"]*)" alt="([^"]*)"[^>]*>|<(\/?)a[ >]/g;

/** Returns true for the address of an image on another site, which browsers do not load here. */
export function isRemoteAddress(address: string, { siteUrl, publicBase }: OwnAddresses): boolean {
  if (!/^https?:/i.test(address)) return false;
  if (publicBase !== undefined && address.startsWith(`${publicBase}/`)) return false;
  return !URL.canParse(address) || new URL(address).origin !== new URL(siteUrl).origin;
}

/** The addresses of images on other sites that sanitized HTML shows, each once. */
export function findRemoteImages(html: string, own: OwnAddresses): string[] {
  const addresses = [...html.matchAll(IMAGE_OR_LINK)].flatMap(([, src]) =>
    src === undefined ? [] : unescapeMarkup(src),
  );
  return [...new Set(addresses)].filter((address) => isRemoteAddress(address, own));
}

/**
 * Sanitized HTML with other addresses of its images.
 * @param addresses by the address so far; images of other addresses stay as they are
 */
export function moveImages(html: string, addresses: ReadonlyMap<string, string>): string {
  return html.replace(IMAGE_OR_LINK, (tag: string, src: string | undefined) => {
    const address = src === undefined ? undefined : addresses.get(unescapeMarkup(src));
    return address === undefined
      ? tag
      : `<img src="${escapeAttribute(address)}"${tag.slice(`<img src="${src}"`.length)}`;
  });
}

/**
 * Sanitized HTML with links in the place of images, called by their description or else by their host. Within a link, only
 * the words are left.
 * @param isMeant tells which images, by their address
 */
export function linkImages(html: string, isMeant: (address: string) => boolean): string {
  let isInLink = false;
  return html.replace(IMAGE_OR_LINK, (tag: string, src: string | undefined, alt: string | undefined, slash: string) => {
    if (src === undefined) {
      isInLink = slash === '';
      return tag;
    }
    const address = unescapeMarkup(src);
    if (!isMeant(address)) return tag;
    const words = alt || escapeText(`Picture on ${hostOf(address)}`);
    return isInLink ? words : `<a href="${src}">${words}</a>`;
  });
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : 'another site';
}
