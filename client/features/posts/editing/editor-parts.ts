import type { ComponentType, ReactNode } from 'react';
import type { UploadImage } from '../editor/editor-contract.js';

/** The featured image of a post: `url` is empty when there is none, `alt` null when nobody has said what it shows. */
interface FeaturedImage {
  readonly url: string;
  readonly alt: string | null;
}

/** What the field of the featured image takes. */
export interface FeaturedImageProps {
  readonly label: string;
  readonly value: FeaturedImage;
  readonly onChange: (value: FeaturedImage) => void;
  readonly onUploadingChange: (isUploading: boolean) => void;
  readonly error: string | undefined;
  readonly altError: string | undefined;
}

/** What the editor's screen takes from other features; the page puts them together. */
export interface EditorParts {
  readonly ScreenHead: ComponentType<{ readonly title: string; readonly children?: ReactNode }>;
  readonly FeaturedImage: ComponentType<FeaturedImageProps>;
  readonly uploadImage: UploadImage;
}
