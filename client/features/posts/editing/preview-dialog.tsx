import { useEffect, useEffectEvent, useState } from 'react';
import type { PreviewLink } from '../../../../src/shared/contracts/admin-posts.js';
import { Button, ExternalLink } from '../../../components/button.js';
import { InputField } from '../../../components/field.js';
import { Modal } from '../../../components/modal.js';
import { Notice } from '../../../components/notice.js';
import { describeError } from '../../../lib/api-errors.js';
import { formatMoment } from '../../../lib/format-moment.js';

interface PreviewDialogProps {
  /** Makes a link to the post as the form shows it. */
  readonly createLink: () => Promise<PreviewLink>;
  readonly onClose: () => void;
}

/** A link at which the post can be read before it is published. */
export function PreviewDialog({ createLink, onClose }: PreviewDialogProps) {
  const [link, setLink] = useState<PreviewLink | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  // One link for each time the dialog opens.
  const createOnce = useEffectEvent(createLink);
  useEffect(() => {
    let isCurrent = true;
    createOnce().then(
      (created) => isCurrent && setLink(created),
      (error: unknown) => isCurrent && setFailure(describeError(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, []);
  return (
    <Modal title="Preview" onClose={onClose}>
      <div role="status" className="stack">
        {link ? <Link link={link} /> : null}
        {failure ? <Notice kind="error">{failure}</Notice> : null}
        {link === null && failure === null ? <p>Making a link...</p> : null}
      </div>
      <div className="row">
        <Button kind="line" onClick={onClose}>
          Close
        </Button>
      </div>
    </Modal>
  );
}

function Link({ link }: { readonly link: PreviewLink }) {
  const [isCopied, setIsCopied] = useState(false);
  const handleCopy = async (field: HTMLInputElement | null) => {
    field?.select();
    try {
      await navigator.clipboard.writeText(link.url);
      setIsCopied(true);
    } catch {
      // Not allowed: the address is selected, for the keyboard.
    }
  };
  return (
    <>
      <p>
        Whoever has this link can read the post as it is now, without signing in. It works until{' '}
        {formatMoment(link.expires_at)}.
      </p>
      <InputField label="Link" name="preview-link" readOnly value={link.url} />
      <div className="row">
        <Button
          isSmall
          onClick={() => void handleCopy(document.querySelector<HTMLInputElement>('[name="preview-link"]'))}
        >
          {isCopied ? 'Copied' : 'Copy the link'}
        </Button>
        <ExternalLink href={link.url}>Open the preview</ExternalLink>
      </div>
    </>
  );
}
