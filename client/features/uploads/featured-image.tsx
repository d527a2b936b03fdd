import { ImageField, type ImageValue } from './image-field.js';

interface FeaturedImageProps extends ImageValue {
  readonly onChange: (image: ImageValue) => void;
  readonly onUploadingChange: (isUploading: boolean) => void;
  /** The problem with the image, or with its description while that is missing. */
  readonly error?: string | undefined;
}

/** The field Featured Image of the post editor (product.md 2.13). */
export function FeaturedImage({ url, alt, onChange, onUploadingChange, error }: FeaturedImageProps) {
  const isAboutAlternative = url !== '' && alt === null;
  return (
    <ImageField
      label="Featured Image"
      value={{ url, alt }}
      onChange={onChange}
      onUploadingChange={onUploadingChange}
      error={isAboutAlternative ? undefined : error}
      altError={isAboutAlternative ? error : undefined}
    />
  );
}
