import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/modal.js';
import type { Overtaking } from './publication.js';

/** Describes the change of a post that is open, in a sentence without its period. */
export function toOvertakingTitle({ isPublished, isBySchedule }: Overtaking): string {
  if (isBySchedule) return 'This post was published as scheduled';
  return isPublished ? 'This post was published meanwhile' : 'This post was unpublished meanwhile';
}

/** Describes the consequence for the text in the form. */
export function toOvertakingText({ isPublished }: Overtaking): string {
  return isPublished
    ? 'Readers see it as it was saved last. Once you save, they see what you wrote since.'
    : 'Readers no longer see it. Saving keeps your text and leaves the post off the site, unless you move the switch.';
}

interface OvertakingDialogProps {
  readonly overtaking: Overtaking;
  readonly onSave: () => void;
  readonly onClose: () => void;
}

/** Asks before a save that readers would see, or not see, against what was on the screen when it was asked for. */
export function OvertakingDialog({ overtaking, onSave, onClose }: OvertakingDialogProps) {
  return (
    <Modal title={toOvertakingTitle(overtaking)} onClose={onClose}>
      <p>{toOvertakingText(overtaking)}</p>
      <div className="row">
        <Button onClick={onSave}>
          {overtaking.isPublished ? 'Save and show it to readers' : 'Save it as a draft'}
        </Button>
        <Button kind="line" onClick={onClose}>
          Continue editing
        </Button>
      </div>
    </Modal>
  );
}
