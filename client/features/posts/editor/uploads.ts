import type Quill from 'quill';
import { Gate } from '../../../../src/shared/gate.js';
import { IMAGE_MAX_BYTES } from '../../../../src/shared/limits.js';
import { whenAborted } from '../../../../src/shared/when-aborted.js';
import type { RemotePicture, UploadImage } from './editor-contract.js';
import type { Piece } from './html/lines.js';
import type { ImageValue } from './html/values.js';
import { keepFocus } from './keep-focus.js';
import {
  canBeFigure,
  imageOf,
  plainPicture,
  raisePicture,
  readPicture,
  savePicture,
  type PictureSettings,
} from './pictures.js';

/** The file is not sent at all (product.md 8.5). */
class TooLargeError extends Error {}

/** A picture on its way. */
interface Upload {
  readonly id: string;
  readonly picture: File | RemotePicture;
  abort: AbortController;
  /** It was refused; what is broken off otherwise goes on when its place comes back. */
  hasFailed: boolean;
  /** The author's words, also from before it has arrived. */
  settings: PictureSettings;
  /** Its address, once it has one. */
  url: string | null;
}

interface UploadEvents {
  readonly upload: UploadImage;
  readonly onActiveChange: (isUploading: boolean) => void;
  /** @param id of the upload, about which nobody has to be asked any more */
  readonly onFailed: (id: string, picture: File | RemotePicture, title: string, message: string) => void;
  readonly onDone: (picture: File | RemotePicture) => void;
}

/**
 * Pictures on their way from the author to the server. Each has a place in the text, which the picture takes when it
 * has arrived; an upload whose place the author deletes is broken off, and begins anew when undo or a paste brings the place back. The
 * place itself is no step of undo, the picture is.
 */
export class Uploads {
  private readonly uploads = new Map<string, Upload>();
  /** The server works on one picture at a time, and has no room for many that wait. */
  private readonly files = new Gate(1);
  /** Those of other sites wait for these: one that is slow does not hold up the rest. */
  private readonly remote = new Gate(4);
  private readonly leaving = new AbortController();
  private active = 0;
  private lastId = 0;

  constructor(
    private readonly quill: Quill,
    private readonly events: UploadEvents,
  ) {}

  /** Makes a place for a picture; {@link start} sends it. */
  add(picture: File | RemotePicture, settings: PictureSettings = { ...plainPicture, alt: altOf(picture) }): string {
    // Of the clipboard of another page, no place is taken for one of this.
    this.lastId = Math.max(this.lastId + 1, Date.now());
    const id = String(this.lastId);
    this.uploads.set(id, { id, picture, abort: new AbortController(), hasFailed: false, settings, url: null });
    return id;
  }

  /** Sends the pictures whose places are in the text now. */
  start(ids: readonly string[]): void {
    for (const id of ids) void this.send(id);
  }

  /** Keeps what the author says of a picture, whether it has arrived or not. */
  describe(id: string, settings: PictureSettings): void {
    const upload = this.uploads.get(id);
    if (upload === undefined) return;
    const index = this.placeOf(upload);
    upload.settings = settings;
    if (index === undefined) return;
    // The link that was around its place stays.
    const link = settings.link || (readPicture(this.quill, index)?.settings.link ?? '');
    savePicture(this.quill, index, { ...settings, link });
  }

  /** False for a picture in a place where it can have no caption and no width. */
  canBeFigure(id: string): boolean {
    const upload = this.uploads.get(id);
    const index = upload?.url ? this.placeOf(upload) : this.places().get(id);
    return index === undefined || canBeFigure(this.quill, index);
  }

  /** To be called after every change: breaks off what was deleted, and fills places that undo or a paste brought back. */
  reconcile(): void {
    const places = this.places();
    for (const upload of this.uploads.values()) {
      if (upload.url === null && !upload.abort.signal.aborted && !places.has(upload.id)) upload.abort.abort();
    }
    for (const id of places.keys()) {
      const upload = this.uploads.get(id);
      if (upload?.url) this.replace(id, upload.url, this.quill.history.ignoreChange ? 'api' : 'user');
      else if (upload === undefined || upload.hasFailed) this.giveUp(id, 'api');
      else if (upload.abort.signal.aborted) this.restart(upload);
    }
  }

  /** Stands in the saved text for a picture that has not come yet: a link to one of another site, so that it is not lost. */
  standIn(id: string): Piece | null {
    const picture = this.uploads.get(id)?.picture;
    if (picture === undefined || picture instanceof File) return null;
    return { insert: picture.alt || picture.address, attributes: { link: picture.address } };
  }

  /**
   * Has pictures of other sites stored that are in the text already.
   * @returns for each address the one here, or why there is none
   */
  async fetch(addresses: readonly string[]): Promise<Map<string, string | Error>> {
    const { signal } = this.leaving;
    const options = { signal, onProgress: () => undefined };
    const fetchOne = async (address: string): Promise<[string, string | Error]> => {
      try {
        const { url } = await this.remote.run(() => this.events.upload({ address, alt: '' }, options), signal);
        return [address, url];
      } catch (error) {
        return [address, error instanceof Error ? error : new Error(String(error))];
      }
    };
    this.setActive(1);
    try {
      return new Map(await Promise.all(addresses.map(fetchOne)));
    } finally {
      this.setActive(-1);
    }
  }

  /** Breaks everything off. */
  stop(): void {
    this.leaving.abort();
    for (const { abort } of this.uploads.values()) abort.abort();
  }

  private restart(upload: Upload): void {
    upload.abort = new AbortController();
    this.start([upload.id]);
  }

  private async send(id: string): Promise<void> {
    const upload = this.uploads.get(id);
    if (upload === undefined) return;
    // Broken off, it may be begun anew before this has ended.
    const { picture, abort } = upload;
    const { signal } = abort;
    this.setActive(1);
    try {
      if (picture instanceof File && picture.size >= IMAGE_MAX_BYTES)
        throw new TooLargeError('Image must be less than 5MB');
      const onProgress = (share: number) => this.showProgress(id, share);
      const line = picture instanceof File ? this.files : this.remote;
      // Broken off, it ends whether its sender heeds that or not, and the next one has its turn.
      const run = () => Promise.race([this.events.upload(picture, { signal, onProgress }), whenAborted(signal)]);
      const { url } = await line.run(run, signal);
      upload.url = url;
      keepFocus(this.quill, () => this.replace(id, url, 'user'));
      this.events.onDone(picture);
    } catch (error) {
      if (signal.aborted) return;
      upload.hasFailed = true;
      abort.abort();
      keepFocus(this.quill, () => this.giveUp(id, 'user'));
      const title = error instanceof TooLargeError ? 'Error' : 'Upload failed';
      this.events.onFailed(id, picture, title, error instanceof Error ? error.message : String(error));
    } finally {
      this.setActive(-1);
    }
  }

  private setActive(step: 1 | -1): void {
    const before = this.active;
    this.active += step;
    if (before === 0 || this.active === 0) this.events.onActiveChange(this.active > 0);
  }

  private replace(id: string, url: string, source: 'user' | 'api'): void {
    const settings = this.uploads.get(id)?.settings;
    if (settings === undefined) return;
    this.forEachPlace(id, (place) => this.fill(place, url, settings, source));
  }

  private fill(place: number, url: string, settings: PictureSettings, source: 'user' | 'api'): void {
    const { alt, isDecorative, link } = settings;
    const image: ImageValue = { src: url, alt, isDecorative };
    const format = this.quill.getFormat(place, 1);
    const attributes = inlineOnly(link === '' ? format : { ...format, link });
    this.quill.deleteText(place, 1, 'api');
    // A step of undo of its own, whatever is typed meanwhile.
    this.quill.history.cutoff();
    this.quill.updateContents([...at(place), { insert: { image }, ...attributes }], source);
    raisePicture(this.quill, place, settings, source);
    this.quill.history.cutoff();
  }

  /** Takes the places away, or leaves a link to a picture of another site in them. */
  private giveUp(id: string, source: 'user' | 'api'): void {
    const standIn = this.standIn(id);
    this.forEachPlace(id, (place) => {
      this.quill.deleteText(place, 1, 'api');
      if (standIn === null) return;
      this.quill.history.cutoff();
      this.quill.updateContents([...at(place), standIn], source);
      this.quill.history.cutoff();
    });
  }

  /** Does something that takes the place away at each place of an upload, of which copies make several. */
  private forEachPlace(id: string, take: (place: number) => void): void {
    // Each change reconciles, which takes those behind it: the next one is looked for anew.
    for (let place = this.places().get(id); place !== undefined; place = this.places().get(id)) take(place);
  }

  /** The place of a picture that has arrived: the same file has one address, so it is the one that says what this one does. */
  private placeOf({ url, settings }: Upload): number | undefined {
    const same = findPieces(this.quill, (object) => url !== null && imageOf(object)?.src === url);
    const own = same.find(({ index }) => isSaying(readPicture(this.quill, index)?.settings, settings));
    return (own ?? same[0])?.index;
  }

  /** The first place of each upload. */
  private places(): Map<string, number> {
    const places = new Map<string, number>();
    for (const { object, index } of findPieces(this.quill, ({ upload }) => upload !== undefined)) {
      const id = String(object['upload']);
      if (!places.has(id)) places.set(id, index);
    }
    return places;
  }

  private showProgress(id: string, share: number): void {
    const node = this.quill.root.querySelector<HTMLElement>(`[data-upload="${id}"]`);
    node?.style.setProperty('--share', String(Math.min(1, Math.max(0, share))));
  }
}

/** Compares the words of two pictures. The link that was around its place stays with a picture. */
function isSaying(one: PictureSettings | undefined, { alt, isDecorative, caption, width }: PictureSettings): boolean {
  return one?.alt === alt && one.isDecorative === isDecorative && one.caption === caption && one.width === width;
}

function altOf(picture: File | RemotePicture): string {
  return picture instanceof File ? '' : picture.alt;
}

/** The objects in the text that fit, with their place. */
export function findPieces(
  quill: Quill,
  fits: (object: Readonly<Record<string, unknown>>) => boolean,
): { readonly object: Readonly<Record<string, unknown>>; readonly index: number }[] {
  let index = 0;
  return quill.getContents().ops.flatMap(({ insert }) => {
    const place = index;
    index += typeof insert === 'string' ? insert.length : 1;
    return typeof insert === 'object' && fits(insert) ? [{ object: insert, index: place }] : [];
  });
}

/** Skips to a place; a change that skips nothing is none to Quill. */
export function at(index: number): { retain: number }[] {
  return index > 0 ? [{ retain: index }] : [];
}

/** With no format there are no attributes: Quill would not know its own change again, and guess another one for undo. */
function inlineOnly({ link, bold, italic }: Readonly<Record<string, unknown>>): {
  attributes?: Record<string, unknown>;
} {
  const formats = Object.entries({ link, bold, italic }).filter(([, value]) => value !== undefined);
  return formats.length > 0 ? { attributes: Object.fromEntries(formats) } : {};
}
