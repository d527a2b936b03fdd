import { useParams } from 'react-router-dom';
import { ScreenHead } from '../../features/admin/screen.js';
import { EditorScreen } from '../../features/posts/editing/editor-screen.js';
import { ImageField } from '../../features/uploads/image-field.js';
import { MediaPicker } from '../../features/uploads/media-picker.js';
import { useUploadImage } from '../../features/uploads/use-upload.js';

/** The id that creates a post (product.md 2.1). */
const NEW = 'new';

/** The editor of a post, under both forms of its address. */
export function Component() {
  const { id = NEW } = useParams();
  const uploadImage = useUploadImage();
  return (
    <EditorScreen
      // Another post is another editor.
      key={id}
      id={id === NEW ? null : id}
      ScreenHead={ScreenHead}
      ImageField={ImageField}
      ImagePicker={MediaPicker}
      uploadImage={uploadImage}
    />
  );
}
