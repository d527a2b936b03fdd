import type { ComponentType, ReactNode } from 'react';
import type { UploadImage } from '../editor/editor-contract.js';

/** The featured image of a post, as its field takes and gives it. */
export interface FeaturedImageProps {
  /** Empty when there is none. */
  readonly url: string;
  /** Empty when the image is decorative, null when nobody has said yet. */
  readonly alt: string | null;
  readonly onChange: (image: { readonly url: string; readonly alt: string | null }) => void;
  readonly onUploadingChange: (isUploading: boolean) => void;
  readonly error?: string | undefined;
}

/** What the editor's screen takes from other features; the page puts them together. */
export interface EditorParts {
  readonly ScreenHead: ComponentType<{ readonly title: string; readonly children?: ReactNode }>;
  readonly FeaturedImage: ComponentType<FeaturedImageProps>;
  readonly uploadImage: UploadImage;
}
