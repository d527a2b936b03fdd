import { paths } from '../../../src/shared/paths.js';
import { ButtonLink } from '../../components/button.js';
import { overviewMessages } from '../../content/overview.js';
import { ScreenHead } from '../../features/admin/screen.js';
import { OverviewScreen } from '../../features/overview/overview-screen.js';

/** The start page of the admin area (product.md 2.14). */
export function Component() {
  return (
    <>
      <ScreenHead title={overviewMessages.title} lede={overviewMessages.lede}>
        <ButtonLink to={paths.admin.newBlog}>New Post</ButtonLink>
      </ScreenHead>
      <OverviewScreen />
    </>
  );
}
