import type { ComponentType, ReactNode } from 'react';
import type { ImagePickerProps, UploadImage } from '../editor/editor-contract.js';

/** An image of a post: `url` is empty when there is none, `alt` null when nobody has said what it shows. */
interface PostImage {
  readonly url: string;
  readonly alt: string | null;
}

/** The props of a field for an image. */
export interface ImageFieldProps {
  readonly label: string;
  readonly value: PostImage;
  readonly onChange: (value: PostImage) => void;
  readonly onUploadingChange: (isUploading: boolean) => void;
  readonly error: string | undefined;
  readonly altError?: string | undefined;
  /** False for an image that no page shows, so that nobody has to describe it. */
  readonly isDescribed?: boolean;
}

/** The parts of the form of which small screens show one at a time. */
export type FormView = 'text' | 'side';

/** Parts of other features on the editor's screen; the page puts them together. */
export interface EditorParts {
  readonly ScreenHead: ComponentType<{ readonly title: string; readonly children?: ReactNode }>;
  readonly ImageField: ComponentType<ImageFieldProps>;
  readonly ImagePicker: ComponentType<ImagePickerProps>;
  readonly uploadImage: UploadImage;
}
