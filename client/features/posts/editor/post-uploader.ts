import Quill, { type Range } from 'quill';
import Uploader from 'quill/modules/uploader.js';
import type { RemotePicture } from './editor-contract.js';
import { leaveCode } from './leave-code.js';
import { isImageType } from './paste/data-image.js';
import { addLosses, describeLosses, NO_LOSSES, type PasteLosses } from './paste/paste-losses.js';
import type { PostClipboard } from './post-clipboard.js';
import { at, type Uploads } from './uploads.js';

/** A picture that has a place in the text. */
export interface AddedPicture {
  readonly id: string;
  readonly picture: File | RemotePicture;
}

/** Events of the uploader for the editor. */
export interface UploaderEvents {
  /** Pictures have got their places: numbers of the uploads, in their order. */
  readonly onAdded: (uploads: readonly AddedPicture[]) => void;
  /** Some files are no pictures that a post can show. */
  readonly onRefused: (names: readonly string[]) => void;
  /** Parts of a paste did not come along. */
  readonly onLost: (message: string) => void;
}

/** Takes pictures from the clipboard, from drops and from the toolbar, in their order. */
export class PostUploader extends Uploader {
  private lost = NO_LOSSES;
  private pasted: AddedPicture[] = [];
  private uploads: Uploads | null = null;
  private events: UploaderEvents | null = null;
  /** The drop that is going on. */
  private drop: DragEvent | null = null;

  constructor(...parameters: ConstructorParameters<typeof Uploader>) {
    super(...parameters);
    const { container } = this.quill;
    // Around Quill's own listener, which finds the place of a drop and tells of its files alone.
    const keep = (event: DragEvent) => {
      this.drop = event;
    };
    container.addEventListener('drop', keep, true);
    container.addEventListener('drop', () => {
      this.drop = null;
    });
  }

  connect(uploads: Uploads, events: UploaderEvents): void {
    this.uploads = uploads;
    this.events = events;
  }

  override upload(range: Range, files: FileList | File[]): void {
    const { uploads, drop } = this;
    if (drop !== null && (this.quill.clipboard as PostClipboard).takeDrop(range, drop)) return;
    if (uploads === null || files.length === 0) return;
    const accepted = [...files].filter(({ type }) => isImageType(type));
    const refused = [...files].filter(({ type }) => !isImageType(type)).map(({ name }) => name);
    if (accepted.length > 0) this.place(range, accepted, uploads);
    if (refused.length > 0) this.events?.onRefused(refused);
  }

  private place(selected: Range, accepted: readonly File[], uploads: Uploads): void {
    const range = leaveCode(this.quill, selected);
    const added = accepted.map((picture) => ({ id: uploads.add(picture), picture }));
    if (range.length > 0) this.quill.deleteText(range, 'user');
    // The places are no step of undo: the pictures that take them are.
    this.quill.updateContents([...at(range.index), ...added.map(({ id }) => ({ insert: { upload: id } }))], 'api');
    this.quill.setSelection(range.index + added.length, 0, 'silent');
    this.begin(added);
  }

  /** Keeps a picture that was found in pasted HTML until the paste is done. */
  addPasted(picture: File | RemotePicture): string {
    const id = this.uploads?.add(picture) ?? '';
    this.pasted.push({ id, picture });
    return id;
  }

  finishPaste(): void {
    const added = this.pasted;
    this.pasted = [];
    if (added.length > 0) this.begin(added);
    const message = describeLosses(this.lost);
    this.lost = NO_LOSSES;
    if (message !== null) this.events?.onLost(message);
  }

  /** Notes what could not be taken along by the paste that is going on. */
  addLost(losses: PasteLosses): void {
    this.lost = addLosses(this.lost, losses);
  }

  /** Notes that the tables of the paste that is going on become text in a cell, so that it does not matter how they are made. */
  nestTables(count: number): void {
    this.lost = { ...this.lost, nested: this.lost.nested + count, joined: 0 };
  }

  private begin(added: readonly AddedPicture[]): void {
    // Some fail as soon as they are started: what is told of that comes last.
    this.events?.onAdded(added);
    this.uploads?.start(added.map(({ id }) => id));
  }
}

/** Puts the uploader in the place of Quill's. */
export function registerUploader(): void {
  Quill.register({ 'modules/uploader': PostUploader }, true);
}
