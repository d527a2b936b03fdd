import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { noteDescriptions, withFileNotes } from '../file-notes.js';
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

/** A file of an export. */
interface Part {
  readonly file: ExportFile;
  readonly encoding: string;
}

/**
 * Opens an export of WordPress (WXR): a file of XML, or a folder of several, as large sites get it. It is read twice, first for the
 * attachments, which may come after the posts that show them, also in another file.
 * @throws ImportSourceError if it is none, or in an encoding that is not read
 */
export async function openWordPress(path: string, settings: ReaderSettings): Promise<PostSource> {
  const names = await wordPressFilesIn(path);
  if (names?.length === 0) throw new ImportSourceError(`${path}: holds no export of WordPress (WXR)`);
  const parts: Part[] = [];
  for (const name of names ?? ['']) parts.push(await openPart(name === '' ? path : join(path, name)));
  const source = new WordPressExport(parts, settings);
  return {
    format: 'wordpress',
    root: parts[0]?.file.root ?? path,
    total: source.bytes * 2,
    identify: () => source.identify(),
    read: (handleProgress) => source.read(handleProgress),
  };
}

/** The names of the exports of WordPress in a folder, in their order; null for what is no folder. */
export async function wordPressFilesIn(path: string): Promise<string[] | null> {
  const stats = await stat(path).catch(() => null);
  if (stats?.isDirectory() !== true) return null;
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && /\.xml$/i.test(entry.name)).map(({ name }) => name);
  const found: string[] = [];
  for (const name of names.sort()) {
    const file = await findExport(join(path, name)).catch(() => null);
    if (file !== null && isWordPress((await readHead(file)).toString('latin1'))) found.push(name);
  }
  return found;
}

async function openPart(path: string): Promise<Part> {
  const file = await findExport(path);
  const head = (await readHead(file)).toString('latin1');
  if (!isWordPress(head)) throw new ImportSourceError(`${file.name}: is no export of WordPress (WXR)`);
  return { file, encoding: encodingOf(file, head) };
}

function isWordPress(head: string): boolean {
  return /<rss[\s>]/.test(head) && head.includes('wordpress.org/export/');
}

class WordPressExport {
  readonly bytes: number;

  constructor(
    private readonly parts: readonly Part[],
    private readonly settings: ReaderSettings,
  ) {
    this.bytes = parts.reduce((sum, { file }) => sum + file.bytes, 0);
  }

  /** The address is in the heads, which are read for it alone. */
  async identify(): Promise<SourceIdentity> {
    const site = emptySite();
    for (const part of this.parts) {
      try {
        for await (const slice of this.slices(part, () => undefined)) {
          this.addToSite(slice, part, site);
          break;
        }
      } catch (error) {
        // What is wrong with it is said when it is read.
        if (!(error instanceof ImportSourceError)) throw error;
      }
    }
    const name = nameOfAddress(site.address);
    const isNobodysOwn = name === null && site.address !== '';
    const hint = `its address is ${site.address}, which is no site's own`;
    return { name, isNeeded: true, ...(isNobodysOwn ? { hint } : {}) };
  }

  /** A file that breaks off keeps no other from being read; it is said at the end. */
  async *read(handleProgress: (done: number) => void): AsyncGenerator<SourceItem, void, undefined> {
    const site = await this.readSite(handleProgress);
    const notes = noteDescriptions(site.described.size, 'categories and tags');
    let broken: BrokenOffError | undefined;
    let before = this.bytes;
    for (const part of this.parts) {
      const start = before;
      try {
        for await (const slice of this.slices(part, (done) => handleProgress(start + done))) {
          if (slice.kind === 'item') yield withFileNotes(this.readItem(slice, part, site), notes);
        }
      } catch (error) {
        if (!(error instanceof BrokenOffError)) throw error;
        broken ??= error;
      }
      before += part.file.bytes;
    }
    if (broken !== undefined) throw broken;
  }

  private async readSite(handleProgress: (done: number) => void): Promise<WordPressSite> {
    const site = emptySite();
    let before = 0;
    for (const part of this.parts) {
      const start = before;
      try {
        for await (const slice of this.slices(part, (done) => handleProgress(start + done)))
          this.addToSite(slice, part, site);
      } catch (error) {
        // A file that breaks off is read up to there, and says so the second time.
        if (!(error instanceof BrokenOffError)) throw error;
      }
      before += part.file.bytes;
    }
    settleSlugs(site);
    return site;
  }

  private addToSite(slice: Slice, part: Part, site: WordPressSite): void {
    if (slice.kind === 'head') {
      const before = site.address;
      addHead(site, this.parseHead(slice, part));
      if (before !== '' && site.address !== before)
        throw new ImportSourceError(
          `${part.file.name}: is of ${site.address}, and another file in the folder of ${before}; each site is imported from a folder of its own`,
        );
      return;
    }
    try {
      const item = this.parse(slice, part);
      addAttachment(site, item);
      addBlock(site, item);
      addAddresses(site, item, this.settings);
    } catch (error) {
      // What is wrong with an item is said when its turn comes.
      if (!(error instanceof RefusedError)) throw error;
    }
  }

  private parseHead(slice: Slice, part: Part): XmlElement {
    try {
      return this.parse(slice, part);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      throw new ImportSourceError(`${part.file.name}: the part before the first item cannot be read: ${error.message}`);
    }
  }

  private readItem(slice: Slice, part: Part, site: WordPressSite): SourceItem {
    const { name: fileName } = part.file;
    const place = `${fileName}: item ${slice.ordinal} in line ${slice.line}`;
    let item: XmlElement | undefined;
    try {
      item = this.parse(slice, part);
      return readWordPressItem(item, { ...this.settings, fileName, place, site });
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      const title = item === undefined ? '' : textOf(item, 'title');
      return { file: title === '' ? place : `${place} (${title})`, refusal: error };
    }
  }

  /** @throws RefusedError when the slice is no XML that can be read */
  private parse(slice: Slice, part: Part): XmlElement {
    if (slice.bytes === null) throw new RefusedError(['it is larger than 10 MB']);
    if (!slice.isClosed) throw new RefusedError(['it is never closed: the next one begins in it']);
    const text = decode(slice.bytes, part.encoding);
    const root = readXml(text, slice.kind === 'item');
    return root.children[0] ?? root;
  }

  private async *slices({ file }: Part, handleBytes: (done: number) => void): AsyncGenerator<Slice, void, undefined> {
    const slicer = new WordPressSlicer(file.name);
    for await (const chunk of readBytes(file, handleBytes)) yield* slicer.push(chunk);
    yield* slicer.end();
  }
}

function decode(bytes: Buffer, encoding: string): string {
  if (bytes.includes(0)) throw new RefusedError(['it holds zero characters']);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new RefusedError([`it holds bytes that are not ${encoding.toUpperCase()}`]);
  }
}

function encodingOf(file: ExportFile, head: string): string {
  const declaration = /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([^"']{1,40})["']/.exec(head)?.[1] ?? 'utf-8';
  // UTF-16 with its mark has been decoded by now; without it, nothing of the head could have been read.
  if (/^utf-?16/i.test(declaration)) return 'utf-8';
  if (readableEncodings.test(declaration)) return declaration.toLowerCase();
  throw new ImportSourceError(`${file.name}: is in the encoding ${declaration}; save it as UTF-8 and try again`);
}
