import type { ComponentType, Ref } from 'react';

/** Options of an upload. */
export interface UploadOptions {
  /** Aborted when the author takes the picture out again before it has arrived. */
  readonly signal: AbortSignal;
  /** Takes the share that has been sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** A picture on another site. */
export interface RemotePicture {
  readonly address: string;
  /** The description that it has there. */
  readonly alt: string;
}

/** Stores an image and tells its address; rejects with an error whose message may be shown. */
export type UploadImage = (picture: File | RemotePicture, options: UploadOptions) => Promise<{ readonly url: string }>;

/** The props of a dialog that lets one choose a picture that is on the site already. */
export interface ImagePickerProps {
  readonly onChoose: (image: { readonly url: string; readonly alt: string }) => void;
  readonly onClose: () => void;
}

/** A picture in the text that neither has a text alternative nor is marked as decoration. */
export interface ImageWithoutAlternative {
  readonly url: string;
  /** Place in the text, from 0; for {@link RichTextEditorHandle.focusImage}. */
  readonly index: number;
}

/** Something in the text: the first line of these words, the first words with this link, or a table, counted from 0. */
export type TextPlace = { readonly line: string } | { readonly link: string } | { readonly table: number };

/** Methods of the editor for the page. Until the editor has loaded, it answers with the initial text. */
export interface RichTextEditorHandle {
  focus(): void;
  /** The text as HTML; exactly what was loaded as long as nothing is changed. */
  getHtml(): string;
  /** Replaces the whole text, in one step that undo takes back. Calls `onChange`. */
  setHtml(html: string): void;
  imagesWithoutAlternative(): readonly ImageWithoutAlternative[];
  /** Selects the picture, shows it and asks for its text alternative. */
  focusImage(image: ImageWithoutAlternative): void;
  /** Selects a place and shows it; only takes the focus when it is not there any more. */
  focusPlace(place: TextPlace): void;
}

/** Facts about the text, beside the text, for {@link RichTextEditorProps.onChange}. */
export interface EditorChange {
  /** No word, no picture, no video, no sound, no table. */
  readonly isEmpty: boolean;
}

export interface RichTextEditorProps {
  /** Id of the text box itself; others are made from it. */
  readonly id: string;
  /** The name of the text box, shown above it. */
  readonly label: string;
  readonly isRequired?: boolean;
  /** Sanitized HTML. Later changes of this property do nothing: use `setHtml`. */
  readonly initialHtml: string;
  /** Called when an author changes the text, not when it is loaded. */
  readonly onChange: (html: string, change: EditorChange) => void;
  readonly onUploadImage: UploadImage;
  /** Without it, pictures are uploaded only. */
  readonly ImagePicker?: ComponentType<ImagePickerProps> | undefined;
  /** Called when the first upload starts and when the last one ends. */
  readonly onUploadingChange?: (isUploading: boolean) => void;
  /** Ids of a hint or an error of the page. */
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean;
  readonly ref?: Ref<RichTextEditorHandle>;
}
