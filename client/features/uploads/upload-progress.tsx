import { Button } from '../../components/button.js';
import { uploadingText } from '../../content/media.js';

interface UploadProgressProps {
  /** From 0 to 1; null when nothing is on its way. */
  readonly share: number | null;
  readonly onCancel: () => void;
}

/** How far an upload is. Always there, or screen readers would not hear of it; they are told in quarters. */
export function UploadProgress({ share, onCancel }: UploadProgressProps) {
  const quarter = share === null ? null : Math.floor(share * 4) / 4;
  return (
    <div className="upload-progress">
      <p role="status" className="visually-hidden">
        {quarter === null ? '' : uploadingText(quarter)}
      </p>
      {share === null ? null : (
        <>
          <span aria-hidden="true" className="numeric">
            {uploadingText(share)}
          </span>
          <progress aria-label="Upload" value={share} max={1} />
          <Button kind="line" isSmall onClick={onCancel}>
            Cancel upload
          </Button>
        </>
      )}
    </div>
  );
}
