import type { MediaUse, MediaUseKind } from '../../src/shared/contracts/media.js';

/** The words of uploads and of the media (product.md 8.5). */
export const mediaMessages = {
  uploaded: 'Image uploaded successfully',
  uploadFailed: 'Upload failed',
  tooLarge: { title: 'Error', text: 'Image must be less than 5MB' },
  unsupported: 'This is not a JPEG, PNG, GIF, WebP or AVIF image',
  svg: 'SVG images are not accepted: use a JPEG, PNG, GIF, WebP or AVIF image',
  formats: 'JPEG, PNG, GIF, WebP or AVIF, less than 5 MB.',
  preparing: 'Preparing the image...',
  loading: 'Loading images...',
  empty: 'No images yet. Upload the first one, or add pictures to a post.',
  search: 'Search names, alternative texts and titles of posts',
  nothingFound: 'No images match. Try other words, or show all images.',
  noAlternative: 'Nobody has described it yet',
  described: 'Alternative text saved',
  describeFailed: 'Failed to save the alternative text',
  replaced: 'Image replaced',
  replaceFailed: 'Failed to replace the image',
  choose: 'Choose from the library',
  noneUnused: 'Every image is shown somewhere.',
  fetchFailed: { title: 'Error', text: 'Failed to fetch images' },
  confirmRemoval: 'Remove this image for good? This cannot be undone.',
  removed: 'Image removed',
  removeFailed: 'Failed to remove image',
  notInYours: 'Not in your posts',
  unused: 'Not shown anywhere',
  ofCompany: (fact: string) => `Company: ${fact}`,
  ofPage: (page: string) => `Page: ${page}`,
} as const;

/** How much of an upload has arrived. */
export function uploadingText(share: number): string {
  return share < 1 ? `Uploading... ${Math.floor(share * 100)}%` : mediaMessages.preparing;
}

/** Words for the part of a post, of the facts of the company or of a page that shows an image; empty for what is public. */
export const useWords: Readonly<Record<MediaUseKind, string>> = {
  post: '',
  'working-copy': 'unsaved changes',
  revision: 'earlier version',
  company: '',
  'company-draft': 'draft',
  'company-version': 'earlier version',
  pages: '',
  'pages-draft': 'draft',
  'pages-version': 'earlier version',
};

/** Returns true for a use in the text of a page. */
export function isOfPage(kind: MediaUseKind): boolean {
  return kind.startsWith('pages');
}

/** Returns the uses in which an image can be replaced: earlier versions keep theirs, and so do links in texts of pages. */
function replaceableUses(uses: readonly MediaUse[]): readonly MediaUse[] {
  return uses.filter(({ kind }) => !isOfPage(kind) && kind !== 'revision' && kind !== 'company-version');
}

/** Returns true for an image that something other than an earlier version shows. */
export function isReplaceable(uses: readonly MediaUse[]): boolean {
  return replaceableUses(uses).length > 0;
}

/** The question before an image is replaced: what it will do. */
export function confirmReplacement(uses: readonly MediaUse[]): string {
  const shown = replaceableUses(uses);
  const isOfCompany = shown.some(({ post_id }) => post_id === null);
  const posts = new Set(shown.filter(({ post_id }) => post_id !== null).map(({ post_id }) => post_id)).size;
  const inPosts = posts === 1 ? 'the post that shows it' : `all ${posts} posts that show it`;
  const places = [
    ...(isOfCompany ? ['the facts of the company'] : []),
    ...(posts > 0 || !isOfCompany ? [inPosts] : []),
  ];
  return `Replace this image in ${places.join(', in ')}, and in changes that wait? Earlier versions keep it.`;
}
