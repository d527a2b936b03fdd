import { ImportSourceError, RefusedError } from '../import.errors.js';
import {
  BrokenOffError,
  findExport,
  readBytes,
  readHead,
  type ExportFile,
  type ReaderSettings,
} from '../source-bytes.js';
import { nameOfAddress } from '../source-name.js';
import type { PostSource, SourceIdentity, SourceItem } from '../source-post.js';
import { addAddresses, readWordPressItem } from './wordpress-item.js';
import { addAttachment, addBlock, addHead, emptySite, settleSlugs, type WordPressSite } from './wordpress-site.js';
import { WordPressSlicer, type Slice } from './wordpress-slices.js';
import { readXml, textOf, type XmlElement } from './xml-tree.js';

/** Encodings in which every byte below 128 is the sign that ASCII says, so that tags can be found before decoding. */
const readableEncodings = /^(?:utf-?8|us-ascii|ascii|iso-8859-\d{1,2}|latin1|windows-125\d|koi8-[ru])$/i;

/**
 * Opens an export of WordPress (WXR): one file of XML. It is read twice, first for the attachments, which may come
 * after the posts that show them.
 * @throws ImportSourceError if it is none, or in an encoding that is not read
 */
export async function openWordPress(path: string, settings: ReaderSettings): Promise<PostSource> {
  const file = await findExport(path);
  const head = (await readHead(file)).toString('latin1');
  if (!/<rss[\s>]/.test(head) || !head.includes('wordpress.org/export/')) {
    throw new ImportSourceError(`${file.name}: is no export of WordPress (WXR)`);
  }
  const source = new WordPressExport(file, encodingOf(file, head), settings);
  return {
    format: 'wordpress',
    root: file.root,
    total: file.bytes * 2,
    identify: () => source.identify(),
    read: (handleProgress) => source.read(handleProgress),
  };
}

class WordPressExport {
  constructor(
    private readonly file: ExportFile,
    private readonly encoding: string,
    private readonly settings: ReaderSettings,
  ) {}

  /** The address is in the head, which is read for it alone. */
  async identify(): Promise<SourceIdentity> {
    const site = emptySite();
    try {
      for await (const slice of this.slices(() => undefined)) {
        this.addToSite(slice, site);
        break;
      }
    } catch (error) {
      // What is wrong with it is said when it is read.
      if (!(error instanceof ImportSourceError)) throw error;
    }
    const name = nameOfAddress(site.address);
    const isNobodysOwn = name === null && site.address !== '';
    const hint = `its address is ${site.address}, which is no site's own`;
    return { name, isNeeded: true, ...(isNobodysOwn ? { hint } : {}) };
  }

  async *read(handleProgress: (done: number) => void): AsyncGenerator<SourceItem, void, undefined> {
    const site = await this.readSite(handleProgress);
    const { bytes } = this.file;
    for await (const slice of this.slices((done) => handleProgress(bytes + done))) {
      if (slice.kind === 'item') yield this.readItem(slice, site);
    }
  }

  private async readSite(handleProgress: (done: number) => void): Promise<WordPressSite> {
    const site = emptySite();
    try {
      for await (const slice of this.slices(handleProgress)) this.addToSite(slice, site);
    } catch (error) {
      // A file that breaks off is read up to there, and says so the second time.
      if (!(error instanceof BrokenOffError)) throw error;
    }
    settleSlugs(site);
    return site;
  }

  private addToSite(slice: Slice, site: WordPressSite): void {
    if (slice.kind === 'head') {
      addHead(site, this.parseHead(slice));
      return;
    }
    try {
      const item = this.parse(slice);
      addAttachment(site, item);
      addBlock(site, item);
      addAddresses(site, item, this.settings);
    } catch (error) {
      // What is wrong with an item is said when its turn comes.
      if (!(error instanceof RefusedError)) throw error;
    }
  }

  private parseHead(slice: Slice): XmlElement {
    try {
      return this.parse(slice);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      throw new ImportSourceError(`${this.file.name}: the part before the first item cannot be read: ${error.message}`);
    }
  }

  private readItem(slice: Slice, site: WordPressSite): SourceItem {
    const place = `${this.file.name}: item ${slice.ordinal} in line ${slice.line}`;
    let item: XmlElement | undefined;
    try {
      item = this.parse(slice);
      return readWordPressItem(item, { ...this.settings, fileName: this.file.name, place, site });
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      const title = item === undefined ? '' : textOf(item, 'title');
      return { file: title === '' ? place : `${place} (${title})`, refusal: error };
    }
  }

  /** @throws RefusedError when the slice is no XML that can be read */
  private parse(slice: Slice): XmlElement {
    if (slice.bytes === null) throw new RefusedError(['it is larger than 10 MB']);
    if (!slice.isClosed) throw new RefusedError(['it is never closed: the next one begins in it']);
    const text = this.decode(slice.bytes);
    const root = readXml(text, slice.kind === 'item');
    return root.children[0] ?? root;
  }

  private decode(bytes: Buffer): string {
    if (bytes.includes(0)) throw new RefusedError(['it holds zero characters']);
    try {
      return new TextDecoder(this.encoding, { fatal: true }).decode(bytes);
    } catch {
      throw new RefusedError([`it holds bytes that are not ${this.encoding.toUpperCase()}`]);
    }
  }

  private async *slices(handleBytes: (done: number) => void): AsyncGenerator<Slice, void, undefined> {
    const slicer = new WordPressSlicer(this.file.name);
    for await (const chunk of readBytes(this.file, handleBytes)) yield* slicer.push(chunk);
    yield* slicer.end();
  }
}

function encodingOf(file: ExportFile, head: string): string {
  const declaration = /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([^"']{1,40})["']/.exec(head)?.[1] ?? 'utf-8';
  // UTF-16 with its mark has been decoded by now; without it, nothing of the head could have been read.
  if (/^utf-?16/i.test(declaration)) return 'utf-8';
  if (readableEncodings.test(declaration)) return declaration.toLowerCase();
  throw new ImportSourceError(`${file.name}: is in the encoding ${declaration}; save it as UTF-8 and try again`);
}
