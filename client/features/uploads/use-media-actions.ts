import { useState } from 'react';
import type { MediaItem } from '../../../src/shared/contracts/media.js';
import { paths } from '../../../src/shared/paths.js';
import { mediaMessages as messages } from '../../content/media.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { describeError, isAccessDenied } from '../../lib/api-errors.js';
import { showToast } from '../../lib/toast.js';
import { nameOf } from './media-card.js';
import type { Outcome } from '../../components/outcome.js';
import { useReloadMedia } from './use-media.js';
import { useUpload } from './use-upload.js';

/** Actions of the media screen. A toast and the page tell every outcome. */
export function useMediaActions() {
  const api = useAdminApi();
  const reload = useReloadMedia();
  const upload = useUpload();
  const [outcome, tell] = useState<Outcome | null>(null);
  const [busyId, setBusyId] = useState<string | null>(null);

  /** One after another, so that each can be heard of; giving one up gives up those behind it. */
  const uploadAll = async (files: readonly File[]) => {
    tell(null);
    for (const file of files) {
      const image = await upload.start(file);
      if (!image) break;
      tell({ kind: 'success', title: messages.uploaded, lines: image.isNew ? [] : [`${file.name} was here already.`] });
    }
    await reload();
  };

  const remove = async (image: MediaItem) => {
    if (busyId !== null || !confirm(messages.confirmRemoval)) return;
    setBusyId(image.id);
    tell(null);
    try {
      await api.delete(paths.api.admin.image(image.id));
      showToast({ kind: 'success', title: messages.removed });
      tell({ kind: 'success', title: messages.removed, lines: [nameOf(image)], takesFocus: true });
    } catch (error) {
      if (!isAccessDenied(error)) {
        const text = describeError(error);
        showToast({ kind: 'error', title: messages.removeFailed, text });
        tell({ kind: 'error', title: messages.removeFailed, lines: [text], takesFocus: true });
      }
    }
    setBusyId(null);
    await reload();
  };

  return { upload, uploadAll, remove, busyId, outcome, dismiss: () => tell(null) };
}
