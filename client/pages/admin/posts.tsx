import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { ScreenHead } from '../../features/admin/screen.js';
import { PostManager } from '../../features/posts/manage/post-manager.js';
import { useSite } from '../../lib/site-context.js';

/** The list of posts (product.md 2.12). */
export function Component() {
  const { readCountsDays } = useSite();
  return (
    <>
      <ScreenHead title="Manage Blog Posts" lede="Create, edit, and publish your blog content">
        {readCountsDays === null ? null : (
          <ButtonLink to={paths.admin.reads} kind="line">
            Reads
          </ButtonLink>
        )}
        <ButtonLink to={paths.admin.newBlog}>New Post</ButtonLink>
      </ScreenHead>
      <PostManager />
    </>
  );
}
