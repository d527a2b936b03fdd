/** The texts of the screen of comments. */
export const commentMessages = {
  search: 'Name, words or post',
  loading: 'Loading comments...',
  empty: 'There are no comments. They come with an import of WordPress that is asked for them.',
  nothingFound: 'No comment matches.',
  fetchFailed: { title: 'Error', text: 'Failed to fetch the comments' },
  question: 'Remove this comment for good?',
  consequence:
    'Its words and its name are erased, here and for readers. No import brings it again, and answers to it stay.',
  removed: 'Comment removed',
  removeFailed: 'The comment was not removed',
} as const;

/** Says how many there are: '1 comment', '1,234 comments below this post'. */
export function countComments(total: number, isOfPost: boolean): string {
  const words = total === 1 ? '1 comment' : `${total.toLocaleString('en-US')} comments`;
  return isOfPost ? `${words} below this post` : words;
}
