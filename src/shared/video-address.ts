import { parseUrl } from './parse-url.js';

/** A video on one of the hosts whose players posts may show. */
export interface VideoAddress {
  /** Name of the host. */
  readonly host: 'YouTube' | 'Vimeo';
  /** Address of the player, in the form that sets the fewest cookies. */
  readonly player: string;
  /** Address of the page to watch it on. */
  readonly page: string;
}

/**
 * Reads any address under which people know a video: the page, the short one, the one for phones, the player.
 * @param address an absolute http or https address
 * @returns null for any other host, and for pages of these hosts that are no video
 */
export function readVideoAddress(address: string): VideoAddress | null {
  const url = /^https?:\/\//i.test(address) ? parseUrl(address) : null;
  if (url === null) return null;
  const host = url.hostname.replace(/^(?:www|m)\./, '');
  if (host === 'youtu.be') return toYouTube(url.pathname.slice(1), url);
  if (host === 'youtube.com' || host === 'youtube-nocookie.com') {
    const inPath = /^\/(?:embed|shorts|live|v)\/([^/]+)/.exec(url.pathname)?.[1];
    return toYouTube(inPath ?? url.searchParams.get('v') ?? '', url);
  }
  return host === 'vimeo.com' || host === 'player.vimeo.com' ? toVimeo(url) : null;
}

function toYouTube(id: string, url: URL): VideoAddress | null {
  if (!/^[A-Za-z0-9_-]{6,20}$/.test(id)) return null;
  const start = /^(\d{1,6})s?$/.exec(url.searchParams.get('start') ?? url.searchParams.get('t') ?? '')?.[1];
  return {
    host: 'YouTube',
    player: `https://www.youtube-nocookie.com/embed/${id}${start === undefined ? '' : `?start=${start}`}`,
    page: `https://www.youtube.com/watch?v=${id}${start === undefined ? '' : `&t=${start}s`}`,
  };
}

function toVimeo(url: URL): VideoAddress | null {
  const [, id, keyInPath] = /^\/(?:video\/)?(\d{1,15})(?:\/([0-9a-f]{1,20}))?$/.exec(url.pathname) ?? [];
  if (id === undefined) return null;
  const key = /^[0-9a-f]{1,20}$/.exec(url.searchParams.get('h') ?? keyInPath ?? '')?.[0];
  return {
    host: 'Vimeo',
    player: `https://player.vimeo.com/video/${id}${key === undefined ? '' : `?h=${key}`}`,
    page: `https://vimeo.com/${id}${key === undefined ? '' : `/${key}`}`,
  };
}
