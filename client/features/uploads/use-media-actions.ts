import { useState } from 'react';
import type { MediaItem, ReplacedImage } from '../../../src/shared/contracts/media.js';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import { confirmReplacement, mediaMessages as messages } from '../../content/media.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { ApiError, describeError, isAccessDenied } from '../../lib/api-errors.js';
import { showToast } from '../../lib/toast.js';
import { useTurns } from '../../lib/use-turns.js';
import { nameOf } from './media-card.js';
import type { Outcome } from '../../components/outcome.js';
import { useReloadMedia } from './use-media.js';
import { useUpload } from './use-upload.js';

type DescribeImage = (
  image: MediaItem,
  alt: string,
  before: string,
  learn: (words: string) => void,
) => Promise<boolean>;

/** Actions of the media screen. A toast and the page tell every outcome. */
export function useMediaActions() {
  const api = useAdminApi();
  const reload = useReloadMedia();
  const upload = useUpload();
  const { busyIds, outcome, tell, run } = useImageWork(reload);
  const inTurn = useTurns();

  /** One after another, so that each can be heard of; giving one up gives up those behind it. */
  const uploadEach = async (files: readonly File[]) => {
    const known: string[] = [];
    const refused: string[] = [];
    tell(null);
    for (const [index, file] of files.entries()) {
      const end = await upload.attempt(file);
      if (end.kind === 'given-up') break;
      if (end.kind === 'failed') {
        const names = (end.isForAll ? files.slice(index) : [file]).map(({ name }) => name);
        refused.push(...names.map((name) => `${name}: ${end.reason}`));
        if (end.isForAll) break;
        continue;
      }
      if (!end.image.isNew) known.push(`${file.name} was here already.`);
      tell({ kind: 'success', title: messages.uploaded, lines: known });
    }
    // Of a single one, the field says it.
    if (refused.length > 0 && files.length > 1)
      tell({ kind: 'error', title: messages.uploadFailed, lines: [...refused, ...known] });
    await reload();
  };
  const uploadAll = (files: readonly File[]) => inTurn(() => uploadEach(files));

  const remove = async (image: MediaItem) => {
    if (busyIds.has(image.id) || !confirm(messages.confirmRemoval)) return;
    await run(image, messages.removeFailed, async () => {
      await api.delete(adminPaths.image(image.id));
      return { kind: 'success', title: messages.removed, lines: [nameOf(image)], takesFocus: true };
    });
  };

  /**
   * Saves words over those that were there when they were begun, and resolves to whether it did.
   * @param learn takes what is there now, as far as one knows: what a further attempt writes over. It is called before
   *   the attempt is told of, since whoever reads that can try again before the list was read anew.
   */
  const describe: DescribeImage = (image, alt, before, learn) =>
    run(image, messages.describeFailed, async () => {
      await api.put(adminPaths.image(image.id), { alt, before }).catch((error: unknown) => {
        learn(othersWords(error) ?? before);
        throw error;
      });
      learn(alt);
      return { kind: 'success', title: messages.described, lines: [nameOf(image)] };
    });

  const replace = async (image: MediaItem, file: File) => {
    if (busyIds.has(image.id) || !confirm(confirmReplacement(image.uses))) return;
    await run(image, messages.replaceFailed, async () => {
      const by = await inTurn(() => upload.start(file));
      if (!by) return null;
      const input = { from: image.url, to: by.url };
      const { posts, company } = await api.post<ReplacedImage>(adminPaths.replaceImage, input);
      const words = posts === 1 ? '1 post shows' : `${posts} posts show`;
      const ofCompany = company.length > 0 ? [`The company has ${file.name} now.`] : [];
      const lines = [
        ...ofCompany,
        `${words} ${file.name} now. Their alternative texts stayed: look whether they still fit.`,
      ];
      return { kind: 'success', title: messages.replaced, lines, takesFocus: true };
    });
  };

  return { upload, uploadAll, remove, describe, replace, busyIds, outcome, dismiss: () => tell(null) };
}

/** Work at single images, and how the last of it ended. */
function useImageWork(reload: () => Promise<unknown>) {
  const [outcome, tell] = useState<Outcome | null>(null);
  const [busyIds, setBusyIds] = useState<ReadonlySet<string>>(new Set());

  /**
   * Does one thing at a time to an image, and tells how it ended; `work` returns null when there is nothing to tell.
   * Other images do not wait. Returns true once it is done.
   */
  const run = async (image: MediaItem, failure: string, work: () => Promise<Outcome | null>): Promise<boolean> => {
    if (busyIds.has(image.id)) return false;
    setBusyIds((others) => new Set(others).add(image.id));
    tell(null);
    let isDone = false;
    try {
      const outcome = await work();
      isDone = true;
      if (outcome) showToast({ kind: outcome.kind, title: outcome.title });
      tell(outcome);
    } catch (error) {
      if (!isAccessDenied(error)) {
        const text = describeError(error);
        showToast({ kind: 'error', title: failure, text });
        tell({ kind: 'error', title: failure, lines: [text], takesFocus: true });
      }
    }
    setBusyIds((busy) => new Set([...busy].filter((id) => id !== image.id)));
    await reload();
    return isDone;
  };

  return { busyIds, outcome, tell, run };
}

/** The words of somebody else over which none were written. */
function othersWords(error: unknown): string | undefined {
  return error instanceof ApiError && error.code === 'image_described'
    ? (error.body as { alt: string }).alt
    : undefined;
}
