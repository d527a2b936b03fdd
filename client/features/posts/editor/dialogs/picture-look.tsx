import { useId, type Ref } from 'react';
import { InputField } from '../../../../components/field.js';
import { pictureWidths, readLinkValue, toLinkValue, type PictureWidth } from '../html/values.js';
import { BLANK_ADDRESS, describeAddress, toLinkAddress } from '../link-address.js';
import { HtmlField, type HtmlFieldHandle } from './html-field.js';

const widthNames: Readonly<Record<PictureWidth, string>> = {
  text: 'As wide as the text',
  wide: 'Wider than the text',
  full: 'The whole width of the window',
  grid: 'Beside its neighbors, as a gallery',
};

interface CaptionAndWidthProps {
  readonly caption: string;
  readonly captionField: Ref<HtmlFieldHandle>;
  readonly width: PictureWidth;
  readonly onWidth: (width: PictureWidth) => void;
}

/** Asks for the words below a picture and for its width. */
export function CaptionAndWidth({ caption, captionField, width, onWidth }: CaptionAndWidthProps) {
  const id = useId();
  return (
    <>
      <HtmlField
        ref={captionField}
        label="Caption"
        html={caption}
        isInline
        hint="Stands below the picture, for everybody; may stay empty"
      />
      <div className="field">
        <label htmlFor={id}>Width</label>
        <select id={id} value={width} onChange={(event) => onWidth(event.target.value as PictureWidth)}>
          {pictureWidths.map((name) => (
            <option key={name} value={name}>
              {widthNames[name]}
            </option>
          ))}
        </select>
      </div>
    </>
  );
}

interface PictureLinkProps {
  readonly written: string;
  readonly error: string | undefined;
  readonly onChange: (written: string) => void;
}

/** Asks where a picture leads. */
export function PictureLink({ written, error, onChange }: PictureLinkProps) {
  return (
    <InputField
      label="Link"
      value={written}
      onChange={(event) => onChange(event.target.value)}
      inputMode="url"
      autoCapitalize="none"
      spellCheck={false}
      error={error}
      hint={describeAddress(written) ?? 'Where a press on the picture leads; may stay empty'}
    />
  );
}

/** The link with the address that was written; null if it would lead nowhere. */
export function readPictureLink(written: string, former: string): string | null {
  const href = toLinkAddress(written);
  if (href === BLANK_ADDRESS) return null;
  const link = readLinkValue(former);
  if (href === '') return '';
  return href === link.href ? former : toLinkValue({ ...link, href });
}
