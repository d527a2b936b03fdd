import { ScreenHead } from '../../features/admin/screen.js';
import { MediaLibrary } from '../../features/uploads/media-library.js';

/** Images, and where they are shown. */
export function Component() {
  return (
    <>
      <ScreenHead title="Media" lede="The images of all posts, and where they are shown" />
      <MediaLibrary />
    </>
  );
}
