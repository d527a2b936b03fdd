import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';

interface ModalProps {
  readonly title: string;
  /** Wide, such as for two texts beside each other. */
  readonly isWide?: boolean;
  /** Escape, or a close button of the content. Who must decide is given one decision that changes nothing. */
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A dialog over the page, open for as long as it is rendered. The browser keeps the focus in it and gives it back to
 * where it was.
 */
export function Modal({ title, isWide = false, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Closed while it is still in the page: one that is taken out gives no focus back.
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={isWide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // React takes it away; the browser closing it as well would leave it rendered and shut.
        event.preventDefault();
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="dialog-body">
        <h2 id={titleId} tabIndex={-1}>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}
