import { useEffect, useId, useRef, type FormEvent, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../../../../components/button.js';

interface EditorDialogProps {
  readonly title: string;
  readonly submitLabel: string;
  readonly cancelLabel?: string;
  readonly onSubmit: () => void;
  /** Called when it is left without being submitted: by its button, by Escape. */
  readonly onCancel: () => void;
  /** Further buttons. */
  readonly extra?: ReactNode;
  readonly children: ReactNode;
}

/**
 * A question over the page. It stands outside the page's own form, as forms cannot be nested, and keeps its submission
 * to itself.
 */
export function EditorDialog(props: EditorDialogProps) {
  const { title, submitLabel, cancelLabel = 'Cancel', onSubmit, onCancel, extra, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    const { current } = dialog;
    if (current?.open === false) current.showModal();
    return () => current?.close();
  }, []);

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    onSubmit();
  };
  const handleCancel = (event: { preventDefault(): void }) => {
    event.preventDefault();
    onCancel();
  };
  return createPortal(
    <dialog ref={dialog} className="editor-dialog" aria-labelledby={titleId} onCancel={handleCancel}>
      <form className="form" noValidate onSubmit={handleSubmit}>
        <h2 id={titleId}>{title}</h2>
        {children}
        <div className="row">
          <Button type="submit" isSmall>
            {submitLabel}
          </Button>
          <Button kind="line" isSmall onClick={onCancel}>
            {cancelLabel}
          </Button>
          {extra}
        </div>
      </form>
    </dialog>,
    document.body,
  );
}
