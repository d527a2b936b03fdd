import { useEffect, useRef, useState } from 'react';
import { toShownAddress } from '../../../../lib/remote-picture.js';
import { TextAreaField } from '../../../../components/field.js';
import { readLinkValue } from '../html/values.js';
import { NOWHERE } from '../link-address.js';
import type { PictureSettings } from '../pictures.js';
import { tidyLine } from './editable-html.js';
import { EditorDialog } from './editor-dialog.js';
import type { HtmlFieldHandle } from './html-field.js';
import { CaptionAndWidth, PictureLink, readPictureLink } from './picture-look.js';

/** A picture that is to be described. */
export interface ImageToDescribe {
  /** A file that is on its way, or the address of a picture. */
  readonly picture: File | string;
  readonly settings: PictureSettings;
}

interface ImageDialogProps {
  readonly image: ImageToDescribe;
  /** For several pictures in a row: which one this is, such as '2 of 3'. */
  readonly place: string | null;
  /** False where a picture can have no caption and no width. */
  readonly canBeFigure: boolean;
  readonly onSave: (settings: PictureSettings) => void;
  readonly onCancel: () => void;
}

/** Asks what a picture shows to those who cannot see it, and what stands with it for all others. */
export function ImageDialog({ image, place, canBeFigure, onSave, onCancel }: ImageDialogProps) {
  const { settings } = image;
  const [alt, setAlt] = useState(settings.alt);
  const [isDecorative, setIsDecorative] = useState(settings.isDecorative);
  const [width, setWidth] = useState(settings.width);
  const [address, setAddress] = useState(readLinkValue(settings.link).href);
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const caption = useRef<HtmlFieldHandle>(null);
  const preview = usePreview(image.picture);
  const tidy = alt.replace(/\s+/g, ' ').trim();
  const isMissing = tidy === '' && !isDecorative;
  const link = readPictureLink(address, settings.link);

  const handleSubmit = () => {
    setWasSubmitted(true);
    if (isMissing || link === null) return;
    const words = caption.current === null ? settings.caption : tidyLine(caption.current.read());
    onSave({ alt: isDecorative ? '' : tidy, isDecorative, caption: words, width, link });
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
        error={wasSubmitted && isMissing ? 'Describe the picture, or mark it as decorative' : undefined}
        hint="For those who cannot see it: what matters here, in a sentence"
      />
      <label className="check">
        <input type="checkbox" checked={isDecorative} onChange={(event) => setIsDecorative(event.target.checked)} />
        Decorative: it says nothing that the text does not
      </label>
      {canBeFigure ? (
        <CaptionAndWidth caption={settings.caption} captionField={caption} width={width} onWidth={setWidth} />
      ) : null}
      <PictureLink
        written={address}
        error={wasSubmitted && link === null ? NOWHERE : undefined}
        onChange={setAddress}
      />
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
