import { isOpenPopover } from './is-open-popover.js';

/** Closes a dialog, also one that was opened as a popover before scripts ran. */
export function closeDialog(dialog: HTMLDialogElement | null): void {
  if (isOpenPopover(dialog)) dialog?.hidePopover();
  else dialog?.close();
}
