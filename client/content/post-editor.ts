import { fieldNames, mapFields, type PostField } from '../../src/shared/contracts/post-fields.js';

/** The words of the editor of posts (product.md 2.13 and 8.4). */
export const editorMessages = {
  titleNew: 'Create New Blog Post',
  titleEdit: 'Edit Blog Post',
  loading: 'Loading post...',
  error: 'Error',
  validation: 'Validation error',
  loadFailed: 'Failed to load post',
  created: 'Post created successfully',
  updated: 'Post updated successfully',
  unreachable: 'The server could not be reached. Your text is kept on this device and sent as soon as it can be.',
  outdated:
    'The server runs another version of the site and did not take all of your text. It is kept on this device and sent again ' +
    'until it is saved.',
  signedOut: 'You have been signed out. Your text is kept on this device.',
  deleteQuestion: 'Are you sure you want to delete this post?',
  deleted: 'Post deleted successfully',
  deleteFailed: 'Failed to delete post',
  duplicated: 'Post duplicated. This is the copy.',
  discardQuestion: 'Discard your unsaved changes and go back to the saved post?',
  discarded: 'Changes discarded',
  stillOnServer:
    'Your changes could not be discarded on the server. What it has of them is there when you open the post again.',
  changedMeanwhile: 'The post was changed meanwhile, so this was not done. See how it stands now, then try again.',
  uploading: 'A picture is still on its way. Save once it has arrived.',
  uploadLeft: 'A picture did not arrive before another text took the place of this one. Please add it again.',
  scheduled: 'Post scheduled',
  unscheduled: 'Schedule removed',
  merged: 'Both texts are in the form',
  mergedHint: 'Read it over, then save.',
  restoredFromTrash: 'Post restored as a draft',
  captionHint: 'Shown below the image.',
  focalPoint: 'Focal point',
  focalPointHint:
    'Lists cut the picture and keep this point in view. Press the spot that matters, or move the sliders.',
  sharing: 'Search and sharing',
  seoTitleHint: 'Instead of the title.',
  seoDescriptionHint: 'Instead of the excerpt.',
  canonicalHint: 'Where the post was published first, for search engines. Empty: here.',
  slugFollows: 'Follows the title until the post is published for the first time.',
  given: 'The post belongs to somebody else now',
  authorAsked: 'Your name, as readers see it. It is remembered for your next post.',
  slugStays: 'The address stays as it is unless you change it here. Old addresses keep working.',
} as const;

/** The names of the fields. */
export const fieldLabels = {
  ...mapFields<Record<PostField, string>>(fieldNames(), (_name, { label }) => label),
  published_date: 'Published date',
};
