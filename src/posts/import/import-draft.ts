import type { PostFields } from '../post-preparation.js';

/** An image of a post that is still a file on the importer's side. */
export interface DraftImage {
  /** The address that stands for it in the fields until it is stored. */
  readonly placeholder: string;
  /** As the post names it, for reports. */
  readonly written: string;
  /** Absolute path. */
  readonly path: string;
}

/** A post as a source tells it, read and checked, not written yet. Every format is read into this. */
export interface ImportDraft {
  /** For reports: relative to what was given. */
  readonly file: string;
  /** Names the source for ever: the next import finds the post by it. */
  readonly sourceKey: string;
  /** Changes when the source or one of its images changes: 32 hexadecimal digits. */
  readonly sourceHash: string;
  /** Images that are files are placeholders in them. */
  readonly fields: PostFields;
  readonly images: readonly DraftImage[];
  /** What the source says about it; undefined when it says nothing. */
  readonly isPublished: boolean | undefined;
  readonly warnings: readonly string[];
}

const PLACEHOLDER = '/media/pending-';

/** The placeholder of the image of that number. */
export function placeholderOf(index: number): string {
  return `${PLACEHOLDER}${index}`;
}

/** The fields with the addresses of stored images instead of placeholders. */
export function placeImages(fields: PostFields, addresses: ReadonlyMap<string, string>): PostFields {
  const replace = (placeholder: string) => addresses.get(placeholder) ?? placeholder;
  return {
    ...fields,
    imageUrl: fields.imageUrl ? replace(fields.imageUrl) : fields.imageUrl,
    // Text is escaped, so this can only be an attribute that the importer itself has put there.
    content: fields.content.replace(
      /<img src="(\/media\/pending-\d+)"/g,
      (_tag, src: string) => `<img src="${replace(src)}"`,
    ),
  };
}
