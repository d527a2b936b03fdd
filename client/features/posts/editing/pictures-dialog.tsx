import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/modal.js';
import { toShownAddress } from '../../../lib/remote-picture.js';
import type { ImageWithoutAlternative } from '../editor/editor-contract.js';

/** A picture about which nobody has said what it shows: one of the text, or the featured image. */
export type UndescribedPicture =
  | { readonly place: 'text'; readonly image: ImageWithoutAlternative; readonly url: string }
  | { readonly place: 'featured'; readonly url: string };

interface PicturesDialogProps {
  readonly pictures: readonly UndescribedPicture[];
  /** Label of the next step, such as 'Publish'. */
  readonly actionLabel: string;
  readonly onDescribe: (picture: UndescribedPicture) => void;
  readonly onProceed: () => void;
  readonly onClose: () => void;
}

/** Asked before a post goes public: what its pictures show, or that they only decorate. */
export function PicturesDialog({ pictures, actionLabel, onDescribe, onProceed, onClose }: PicturesDialogProps) {
  return (
    <Modal title="What do these pictures show?" onClose={onClose}>
      <p>
        People who cannot see a picture are told its description. Describe each one, or mark it as decorative when it
        says nothing that the text does not.
      </p>
      <ul role="list" className="undescribed">
        {pictures.map((picture, index) => (
          <li key={picture.place === 'text' ? `text-${picture.image.index}` : 'featured'}>
            <img src={toShownAddress(picture.url)} alt="" />
            <Button kind="line" isSmall onClick={() => onDescribe(picture)}>
              {picture.place === 'featured' ? 'Describe the featured image' : `Describe picture ${index + 1}`}
            </Button>
          </li>
        ))}
      </ul>
      <div className="row">
        <Button onClick={onClose}>Back to the post</Button>
        <Button kind="line" onClick={onProceed}>
          {actionLabel} without descriptions
        </Button>
      </div>
    </Modal>
  );
}
