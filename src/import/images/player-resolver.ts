import { MEDIA_PATH } from '../../shared/media.js';
import { parsePlayableName } from '../../shared/media-files.js';
import { NotPlayableError, type PlayableFilesService } from '../../uploads/playable-files.service.js';
import { escapeHtml, unescapeHtml } from '../html-text.js';
import { linkTo } from '../media-links.js';
import type { ImageFinder } from './image-finder.js';
import { placeholderOf, type PendingFile } from './pending-image.js';
import { shortenAddress, toSitePath, toWebAddress, type Showing } from './written-address.js';

/** A player as `replacePlayers` and our own exports write it. */
const player = /<(audio|video) class="ql-player" src="([^"]*)"([^<>]*)>((?:<track [^<>]*>)*)<\/\1>/g;

/** Collects the files of a post's players, and what is wrong with them. */
export interface PlayerNotes {
  readonly files: Map<string, PendingFile>;
  readonly warnings: string[];
  /** Returns the address that stands for a poster; null to leave it out. */
  readonly resolvePoster: (address: string) => Promise<string | null>;
  /** Returns how many placeholders there are already. */
  readonly count: () => number;
}

/** Finds the sound, films and captions that posts play: files alone, as those of other sites are not fetched. */
export class PlayerResolver {
  constructor(
    private readonly finder: ImageFinder,
    private readonly files: Pick<PlayableFilesService, 'inspect'>,
  ) {}

  /** Gives players placeholders for their files; those without a file that can be played become links, and are named. */
  async resolve(html: string, post: Showing, notes: PlayerNotes): Promise<string> {
    let resolved = '';
    let at = 0;
    for (const match of html.matchAll(player)) {
      const [all, tag = '', src = '', rest = '', tracks = ''] = match;
      resolved += html.slice(at, match.index);
      at = match.index + all.length;
      const shown = await this.resolvePlayer({ tag, src: unescapeHtml(src), rest, tracks }, post, notes);
      resolved += shown.startsWith('<a ') ? apart(resolved, shown, html.slice(at, at + 1)) : shown;
    }
    return resolved + html.slice(at);
  }

  private async resolvePlayer({ tag, src, rest, tracks }: WrittenPlayer, post: Showing, notes: PlayerNotes) {
    const found = await this.find(src, post, notes, false);
    if ('reason' in found) {
      notes.warnings.push(`the ${tag} ${shortenAddress(src)} became a link: it ${found.reason}`);
      const title = unescapeHtml(/ title="([^"]*)"/.exec(rest)?.[1] ?? '');
      const address = toWebAddress(src, post.baseUrl)?.href ?? src;
      return title === '' ? linkTo(address) : linkTo(address, title);
    }
    const poster = / poster="([^"]*)"/.exec(rest);
    const still = poster === null ? null : await notes.resolvePoster(unescapeHtml(poster[1] ?? ''));
    const others = rest.replace(/ poster="[^"]*"/, '') + (still === null ? '' : ` poster="${escapeHtml(still)}"`);
    const captions = await this.resolveTracks(tracks, post, notes);
    return `<${tag} class="ql-player" src="${found.address}"${others}>${captions}</${tag}>`;
  }

  private async resolveTracks(tracks: string, post: Showing, notes: PlayerNotes): Promise<string> {
    const kept: string[] = [];
    for (const [track] of tracks.matchAll(/<track [^<>]*>/g)) {
      const src = unescapeHtml(/ src="([^"]*)"/.exec(track)?.[1] ?? '');
      const found = await this.find(src, post, notes, true);
      if ('reason' in found) notes.warnings.push(`the captions ${shortenAddress(src)}: ${found.reason}; left out`);
      else kept.push(track.replace(/ src="[^"]*"/, ` src="${found.address}"`));
    }
    return kept.join('');
  }

  private async find(
    written: string,
    { folder, baseUrl, siteUrl }: Showing,
    { files, count }: PlayerNotes,
    isForCaptions: boolean,
  ): Promise<{ readonly address: string } | { readonly reason: string }> {
    const web = toWebAddress(written, null);
    const own = toSitePath(written, siteUrl);
    const copy = own === null ? null : await this.finder.locate(own, folder);
    const path =
      typeof copy === 'string'
        ? copy
        : await (web === null ? this.finder.locate(written, folder) : this.finder.locateCopy(web, baseUrl));
    if (typeof path !== 'string') {
      const name = written.startsWith(MEDIA_PATH) ? parsePlayableName(written.slice(MEDIA_PATH.length)) : null;
      if (name !== null && (name.kind === 'captions') === isForCaptions) return { address: written };
      return { reason: path?.reason ?? 'is on another site' };
    }
    const known = files.get(path);
    if (known !== undefined) return { address: known.placeholder };
    try {
      const file = await this.files.inspect(path, isForCaptions);
      const placeholder = placeholderOf(count());
      files.set(path, { placeholder, file });
      return { address: placeholder };
    } catch (error) {
      if (!(error instanceof NotPlayableError)) throw error;
      return { reason: error.message };
    }
  }
}

interface WrittenPlayer {
  readonly tag: string;
  readonly src: string;
  readonly rest: string;
  readonly tracks: string;
}

/** A link in the place of a player, which stood between words as a block: it does not become a part of them. */
function apart(before: string, link: string, after: string): string {
  return `${/[^\s>]$/.test(before) ? ' ' : ''}${link}${/[^\s<]/.test(after) ? ' ' : ''}`;
}
