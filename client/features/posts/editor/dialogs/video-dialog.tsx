import { useState } from 'react';
import { readVideoAddress } from '../../../../../src/shared/video-address.js';
import { InputField } from '../../../../components/field.js';
import type { VideoValue } from '../html/values.js';
import { toLinkAddress } from '../link-address.js';
import { EditorDialog } from './editor-dialog.js';

interface VideoDialogProps {
  readonly video: VideoValue | null;
  readonly onSave: (video: VideoValue) => void;
  readonly onCancel: () => void;
}

/** Asks for a video in whatever form people know its address. */
export function VideoDialog({ video, onSave, onCancel }: VideoDialogProps) {
  const [written, setWritten] = useState(video?.src ?? '');
  const [title, setTitle] = useState(video?.title === 'Video' ? '' : (video?.title ?? ''));
  const [error, setError] = useState<string | undefined>();

  const handleSubmit = () => {
    const player = readVideoAddress(toLinkAddress(written))?.player;
    if (player === undefined) {
      setError('That is no video on YouTube or Vimeo. Copy the address of the page where the video plays.');
    } else {
      onSave({ src: player, title: title.trim() || 'Video' });
    }
  };
  return (
    <EditorDialog
      title={video === null ? 'Add a video' : 'Edit the video'}
      submitLabel="Save video"
      onSubmit={handleSubmit}
      onCancel={onCancel}
    >
      <InputField
        label="Address"
        value={written}
        onChange={(event) => setWritten(event.target.value)}
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        error={error}
        hint="From YouTube or Vimeo"
      />
      <InputField
        label="Title"
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        hint="What the video shows. It stands in the place of the video until a visitor plays it."
      />
    </EditorDialog>
  );
}
