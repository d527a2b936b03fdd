import { useEffect, useState } from 'react';
import { toShownAddress } from '../../../../lib/remote-picture.js';
import { TextAreaField } from '../../../../components/field.js';
import type { Alternative } from '../uploads.js';
import { EditorDialog } from './editor-dialog.js';

/** A picture that is to be described. */
export interface ImageToDescribe {
  /** A file that is on its way, or the address of a picture. */
  readonly picture: File | string;
  readonly alternative: Alternative;
}

interface ImageDialogProps {
  readonly image: ImageToDescribe;
  /** For several pictures in a row: which one this is, such as '2 of 3'. */
  readonly place: string | null;
  readonly onSave: (alternative: Alternative) => void;
  readonly onCancel: () => void;
}

/** Asks what a picture shows to those who cannot see it. */
export function ImageDialog({ image, place, onSave, onCancel }: ImageDialogProps) {
  const [alt, setAlt] = useState(image.alternative.alt);
  const [isDecorative, setIsDecorative] = useState(image.alternative.isDecorative);
  const [isMissing, setIsMissing] = useState(false);
  const preview = usePreview(image.picture);
  const tidy = alt.replace(/\s+/g, ' ').trim();

  const handleSubmit = () => {
    setIsMissing(tidy === '' && !isDecorative);
    if (tidy !== '' || isDecorative) onSave({ alt: isDecorative ? '' : tidy, isDecorative });
  };
  return (
    <EditorDialog
      title={place === null ? 'Describe the picture' : `Describe the picture (${place})`}
      submitLabel="Save description"
      cancelLabel="Later"
      onSubmit={handleSubmit}
      onCancel={onCancel}
    >
      {preview === null ? null : <img className="image-preview" src={preview} alt="" />}
      <TextAreaField
        label="What does it show?"
        value={alt}
        rows={2}
        disabled={isDecorative}
        onChange={(event) => setAlt(event.target.value)}
        error={isMissing && tidy === '' && !isDecorative ? 'Describe the picture, or mark it as decorative' : undefined}
        hint="For those who cannot see it: what matters here, in a sentence"
      />
      <label className="check">
        <input type="checkbox" checked={isDecorative} onChange={(event) => setIsDecorative(event.target.checked)} />
        Decorative: it says nothing that the text does not
      </label>
    </EditorDialog>
  );
}

/** The address of the picture. A file is read whole: the page's policy shows no other address of it. */
function usePreview(picture: File | string): string | null {
  const [read, setRead] = useState<string | null>(null);
  useEffect(() => {
    if (typeof picture === 'string') return;
    const reader = new FileReader();
    reader.addEventListener('load', () => setRead(typeof reader.result === 'string' ? reader.result : null));
    reader.readAsDataURL(picture);
    return () => reader.abort();
  }, [picture]);
  return typeof picture === 'string' ? toShownAddress(picture) : read;
}
