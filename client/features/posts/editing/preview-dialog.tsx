import { useEffect, useEffectEvent, useState } from 'react';
import type { PreviewLink } from '../../../../src/shared/contracts/admin-posts.js';
import { Button, ExternalLink } from '../../../components/button.js';
import { InputField } from '../../../components/field.js';
import { Modal } from '../../../components/modal.js';
import { Notice } from '../../../components/notice.js';
import { describeError } from '../../../lib/api-errors.js';
import { formatMoment } from '../../../lib/format-moment.js';
import { passFocusOn } from '../../../lib/pass-focus.js';
import { useSite } from '../../../lib/site-context.js';
import { usePostApi } from './use-saver.js';

interface PreviewDialogProps {
  readonly postId: string;
  /** Makes a link to the post as the form shows it. */
  readonly createLink: () => Promise<PreviewLink>;
  readonly onClose: () => void;
}

/** The links at which the post can be read before it is published: the one to hand out, and all to withdraw. */
export function PreviewDialog({ postId, createLink, onClose }: PreviewDialogProps) {
  const { links, failure, outcome, isBusy, withdraw, create } = usePreviewLinks(postId, createLink);
  const [newest] = links ?? [];
  return (
    <Modal title="Preview" onClose={onClose}>
      <div role="status" className="stack">
        {newest ? <Link key={newest.id} link={newest} /> : null}
        {outcome ? <Notice kind="success">{outcome}</Notice> : null}
        {failure ? <Notice kind="error">{failure}</Notice> : null}
        {links === null && failure === null ? <p>Making a link...</p> : null}
      </div>
      {links ? <LinkList links={links} isBusy={isBusy} onWithdraw={withdraw} /> : null}
      <div className="row">
        {links?.length === 0 ? (
          <Button ref={passFocusOn} isSmall aria-disabled={isBusy} onClick={create}>
            Make a new link
          </Button>
        ) : null}
        <Button kind="line" isSmall className="btn-danger" aria-disabled={isBusy} onClick={() => withdraw(null)}>
          Withdraw all links
        </Button>
        <Button kind="line" isSmall onClick={onClose}>
          Close
        </Button>
      </div>
    </Modal>
  );
}

/** The links of a post; one is made, or found, when this is first rendered. */
function usePreviewLinks(postId: string, createLink: PreviewDialogProps['createLink']) {
  const api = usePostApi();
  const [links, setLinks] = useState<readonly PreviewLink[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(true);
  const list = async (task: () => Promise<unknown>) => {
    await task();
    return await api.listPreviewLinks(postId);
  };
  const fail = (error: unknown) => {
    setFailure(describeError(error));
    setIsBusy(false);
  };
  const run = (task: () => Promise<unknown>, done: string | null) => {
    // The buttons are not disabled meanwhile: the focus would be lost.
    if (isBusy) return;
    setIsBusy(true);
    setFailure(null);
    setOutcome(null);
    list(task).then((listed) => {
      setLinks(listed);
      setOutcome(done);
      setIsBusy(false);
    }, fail);
  };
  const begin = useEffectEvent(() => list(createLink));
  useEffect(() => {
    begin().then(
      (listed) => {
        setLinks(listed);
        setIsBusy(false);
      },
      (error: unknown) => {
        setFailure(describeError(error));
        setIsBusy(false);
      },
    );
  }, []);
  return {
    links,
    failure,
    outcome,
    isBusy,
    create: () => run(createLink, null),
    withdraw: (link: PreviewLink | null) =>
      run(
        () => api.withdrawPreviewLink(postId, link?.id ?? null),
        link
          ? 'The link was withdrawn: it shows nothing any more.'
          : 'All links were withdrawn: they show nothing any more.',
      ),
  };
}

function Link({ link }: { readonly link: PreviewLink }) {
  const { timeZone } = useSite();
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
        {formatMoment(link.expires_at, timeZone)}, unless you withdraw it.
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

interface LinkListProps {
  readonly links: readonly PreviewLink[];
  readonly isBusy: boolean;
  readonly onWithdraw: (link: PreviewLink) => void;
}

function LinkList({ links, isBusy, onWithdraw }: LinkListProps) {
  const { timeZone } = useSite();
  if (links.length === 0) return <p className="quiet">No link to this post works.</p>;
  return (
    <ol role="list" className="revisions" aria-label="Working previews">
      {links.map((link) => (
        <li key={link.id}>
          <p>
            <b>Made {formatMoment(link.created_at, timeZone)}</b>
            <br />
            <span className="small quiet">works until {formatMoment(link.expires_at, timeZone)}</span>
          </p>
          <Button ref={passFocusOn} kind="line" isSmall aria-disabled={isBusy} onClick={() => onWithdraw(link)}>
            Withdraw
            <span className="visually-hidden"> the link made {formatMoment(link.created_at, timeZone)}</span>
          </Button>
        </li>
      ))}
    </ol>
  );
}
