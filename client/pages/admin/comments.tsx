import { ScreenHead } from '../../features/admin/screen.js';
import { CommentList } from '../../features/comments/comment-list.js';

/** The screen of the comments that came with imported posts. */
export function Component() {
  return (
    <>
      <ScreenHead
        title="Comments"
        lede="What readers wrote below imported posts, on the site where these were before"
      />
      <CommentList />
    </>
  );
}
