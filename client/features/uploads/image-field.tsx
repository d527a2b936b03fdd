import { useEffect, useId, useRef, useState } from 'react';
import type { MediaItem } from '../../../src/shared/contracts/media.js';
import { toPicture } from '../../../src/shared/media.js';
import { Button } from '../../components/button.js';
import { Icon } from '../../components/icon.js';
import { signs } from '../../components/signs.js';
import { mediaMessages } from '../../content/media.js';
import { isRemotePicture, toShownAddress } from '../../lib/remote-picture.js';
import { AlternativeField } from './alternative-field.js';
import { FileDrop } from './file-drop.js';
import { MediaPicker } from './media-picker.js';
import { UploadProgress } from './upload-progress.js';
import { ACCEPTED_TYPES } from './upload-rules.js';
import { useUpload } from './use-upload.js';

/** An image of a post, as the form holds it. */
export interface ImageValue {
  /** Empty without an image. */
  readonly url: string;
  /** Alternative text; empty when the image is decorative, null when nobody has said yet. */
  readonly alt: string | null;
}

/** No image. */
export const NO_IMAGE: ImageValue = { url: '', alt: null };

interface ImageFieldProps {
  /** The name of the file input. */
  readonly name?: string;
  readonly label: string;
  readonly value: ImageValue;
  readonly onChange: (value: ImageValue) => void;
  /** Called when an upload begins and when it ends. */
  readonly onUploadingChange?: (isUploading: boolean) => void;
  /** The problem with the address of the image, if there is one. */
  readonly error?: string | undefined;
  /** The problem with the description, if there is one. */
  readonly altError?: string | undefined;
  /** False for an image that no page shows: it needs no description. */
  readonly isDescribed?: boolean;
  /** Sentences on the picture and its formats. */
  readonly hint?: string;
}

/** Chooses, shows and describes one image (product.md 2.13). Needs the admin area above it. */
export function ImageField({
  name,
  label,
  value,
  onChange,
  onUploadingChange,
  error,
  altError,
  isDescribed = true,
  hint = mediaMessages.formats,
}: ImageFieldProps) {
  const id = useId();
  const chooser = useRef<HTMLInputElement>(null);
  const upload = useUpload();
  const [isChoosing, setIsChoosing] = useState(false);
  const isUploading = upload.share !== null;
  const shownError = upload.error ?? error;
  useNotification(isUploading, onUploadingChange);

  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  const handleFiles = async ([file]: readonly File[]) => {
    if (!file) return;
    const image = await upload.start(file);
    // Another picture wants other words, and the one that is there keeps its own.
    if (image && image.url !== latest.current.url) onChange({ url: image.url, alt: null });
  };
  const handleFetch = async () => {
    const image = await upload.start({ address: value.url });
    // Its description may have been written meanwhile.
    if (image) onChange({ ...latest.current, url: image.url });
  };
  const handleChosen = (image: MediaItem) => {
    setIsChoosing(false);
    upload.clearError();
    // The words of the library come along, unless the picture that is there has its own; without any it wants some.
    const own = image.url === value.url ? value.alt : null;
    onChange({ url: image.url, alt: own ?? (image.alt || null) });
  };
  const handleRemove = () => {
    upload.clearError();
    onChange(NO_IMAGE);
    // The button that had the focus goes.
    chooser.current?.focus();
  };

  return (
    <div className="field image-field">
      <label htmlFor={id}>{label}</label>
      <FileDrop onFiles={(files) => void handleFiles(files)}>
        {value.url ? <Preview url={value.url} /> : null}
        <input
          ref={chooser}
          id={id}
          name={name}
          type="file"
          accept={ACCEPTED_TYPES.join(',')}
          aria-describedby={`${shownError ? `${id}-error ` : ''}${id}-hint`}
          aria-invalid={shownError ? true : undefined}
          onChange={({ target }) => {
            void handleFiles([...(target.files ?? [])]);
            // So that the same file can be chosen again.
            target.value = '';
          }}
        />
        <UploadProgress share={upload.share} onCancel={upload.cancel} />
        {isUploading ? null : (
          <Button kind="line" isSmall onClick={() => setIsChoosing(true)}>
            {mediaMessages.choose}
          </Button>
        )}
        {isRemotePicture(value.url) && !isUploading ? (
          <Button kind="line" isSmall onClick={() => void handleFetch()}>
            Fetch it from its site
          </Button>
        ) : null}
        {value.url && !isUploading ? (
          <Button kind="line" isSmall className="btn-danger" onClick={handleRemove}>
            Remove image
          </Button>
        ) : null}
      </FileDrop>
      {shownError ? (
        <p className="field-error" id={`${id}-error`}>
          <Icon shape={signs.alert} />
          {shownError}
        </p>
      ) : null}
      <p className="field-hint" id={`${id}-hint`}>
        {/* An element: beside others, React could not write a text anew where a browser translates the page. */}
        {hint} <span>{value.url ? 'Choose another one to replace it.' : 'Choose one, or drop it here.'}</span>
      </p>
      {isChoosing ? <MediaPicker onChoose={handleChosen} onClose={() => setIsChoosing(false)} /> : null}
      {value.url && isDescribed ? (
        <AlternativeField
          key={value.url}
          alt={value.alt}
          error={altError}
          onChange={(alt) => onChange({ ...value, alt })}
        />
      ) : null}
    </div>
  );
}

/** Says when it changes, and that nothing is on its way any more when the field goes. */
function useNotification(isUploading: boolean, tell: ((isUploading: boolean) => void) | undefined): void {
  const latest = useRef(tell);
  useEffect(() => {
    latest.current = tell;
  });
  useEffect(() => {
    if (!isUploading) return undefined;
    latest.current?.(true);
    return () => latest.current?.(false);
  }, [isUploading]);
}

function Preview({ url }: { readonly url: string }) {
  const picture = toPicture(url, undefined);
  return (
    <img
      className="image-preview"
      src={picture?.src ?? toShownAddress(url)}
      srcSet={picture?.sources.at(-1)?.srcset}
      sizes="20rem"
      width={picture?.width}
      height={picture?.height}
      alt="The chosen image"
    />
  );
}
