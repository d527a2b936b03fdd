import type { LostImages } from '../../uploads/media-check.service.js';
import { findImagesOfRow, type TextColumns } from '../../posts/post-texts.js';
import type { ImportDraft } from '../import-draft.js';
import type { PendingImage } from './pending-image.js';
import type { ImageTaker } from './image-taker.js';

interface Parts {
  /** Looks which images have lost files. */
  readonly find: () => Promise<LostImages>;
  readonly taker: Pick<ImageTaker, 'take'>;
  readonly isDryRun: boolean;
}

/** Takes those images of posts once more that were taken before and are lost, although nothing is written to the posts. */
export class LostImageTaker {
  private lost: Promise<LostImages> | undefined;

  constructor(private readonly parts: Parts) {}

  /**
   * Brings back what a post has lost.
   * @param shown the post as it is here, where that is known
   * @returns notes for the report
   */
  async takeAgain({ images, files }: ImportDraft, shown: Partial<TextColumns> | null): Promise<string[]> {
    if (images.length + files.length === 0) return [];
    // Only a run that comes across a post that it does not write has to know.
    const lost = await (this.lost ??= this.parts.find());
    const lostFiles = files.filter(({ file }) => lost.sourceHashes.has(file.sha256));
    const wantedFiles = [...new Map(lostFiles.map((file) => [file.file.sha256, file])).values()];
    // What the post shows that is lost may be one of these files.
    const wanted = findWanted(images, lost, wantedFiles.length > 0 ? null : shown);
    const count = wanted.length + wantedFiles.length;
    if (count === 0) return [];
    const names = `${count} ${count === 1 ? 'image' : 'images'} of it`;
    if (this.parts.isDryRun) return [`files of ${names} are lost and would be brought back`];
    const { addresses, warnings } = await this.parts.taker.take(wanted, wantedFiles);
    const isRefused =
      wantedFiles.length === 0 && wanted.every(({ placeholder }) => addresses.get(placeholder) === null);
    return [`files of ${names} ${isRefused ? 'are lost' : 'were lost and are brought back'}`, ...warnings];
  }
}

function findWanted(
  images: readonly PendingImage[],
  lost: LostImages,
  shown: Partial<TextColumns> | null,
): readonly PendingImage[] {
  const isLost = ({ identity, origin }: PendingImage) =>
    lost.sourceHashes.has(identity) || lost.origins.has('url' in origin ? origin.url : origin.path);
  const wanted = images.filter(isLost);
  if (wanted.length > 0 || shown === null) return wanted;
  // Of images that came before their origin was kept: one that the post shows is lost, and it is not known which.
  const isShowing = findImagesOfRow(shown).some((name) => lost.names.has(name));
  return isShowing ? images : [];
}
