import { Button } from '../../../components/button.js';
import { Modal } from '../../../components/modal.js';

interface LeaveDialogProps {
  /** True when text was not saved; otherwise only the switch was moved or a date typed. */
  readonly hasText: boolean;
  /** True when the server has all of it, as a working copy. */
  readonly isKept: boolean;
  /** True when the switch was moved, which only a save stores. */
  readonly hasDecided: boolean;
  /** True when a date was typed, which only a save stores. */
  readonly hasDated: boolean;
  /** True while a picture is on its way, which is not kept anywhere. */
  readonly isUploading: boolean;
  /** True when the post was never saved, so that discarding the changes leaves nothing of it. */
  readonly isNew: boolean;
  /** True once they have chosen to discard: that is not taken back, as nobody knows whether it is done already. */
  readonly isDiscarding: boolean;
  readonly onStay: () => void;
  readonly onLeave: () => void;
  readonly onDiscard: () => void;
}

/** Asks before somebody leaves with unsaved changes. Only the last answer discards text that the server or this device has. */
export function LeaveDialog(props: LeaveDialogProps) {
  const { hasText, isKept, hasDecided, hasDated, isUploading, isNew, isDiscarding, onStay, onLeave, onDiscard } = props;
  // Not disabled once they have chosen: the focus would be lost.
  const held = (onPress: () => void) => ({ 'aria-disabled': isDiscarding, onClick: () => !isDiscarding && onPress() });
  return (
    <Modal title="Leave with unsaved changes?" onClose={() => (isDiscarding ? undefined : onStay())}>
      {hasText ? (
        <p>
          {isKept
            ? 'Your changes are kept. Readers do not see them until you save, and you can go on with them later.'
            : 'Your last changes have not reached the server yet. They are kept on this device, and you will be offered them when you come back.'}
        </p>
      ) : null}
      {hasDecided ? (
        <p>You moved the switch ‘Publish immediately’. That is kept nowhere: it counts only when you save.</p>
      ) : null}
      {hasDated ? (
        <p>You chose a published date. It counts only when you save; until then, this device alone remembers it.</p>
      ) : null}
      {isUploading ? <p>A picture is still on its way. If you leave now, it is not in the post.</p> : null}
      <div className="row">
        <Button {...held(onStay)}>Keep editing</Button>
        <Button kind="line" {...held(onLeave)}>
          Leave
        </Button>
        {hasText || hasDecided || hasDated ? (
          <Button kind="line" className="btn-danger" {...held(onDiscard)}>
            {toDiscardLabel(isNew, isDiscarding)}
          </Button>
        ) : null}
      </div>
    </Modal>
  );
}

function toDiscardLabel(isNew: boolean, isDiscarding: boolean): string {
  if (isDiscarding) return isNew ? 'Deleting...' : 'Discarding...';
  return isNew ? 'Delete this draft' : 'Discard changes';
}
