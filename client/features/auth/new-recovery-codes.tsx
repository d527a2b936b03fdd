import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.js';
import { useSession } from '../../lib/session.js';
import { useSite } from '../../lib/site-context.js';

interface NewRecoveryCodesProps {
  readonly codes: readonly string[];
  /** Called when the person has kept them. */
  readonly onKept: () => void;
}

/** Shows recovery codes this once, to be copied, downloaded or written down. */
export function NewRecoveryCodes({ codes, onKept }: NewRecoveryCodesProps) {
  const list = useRef<HTMLOListElement>(null);
  const [answer, setAnswer] = useState('');
  const text = useCodesText(codes);
  // The button that led here is gone.
  useEffect(() => list.current?.focus(), []);

  const handleCopy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setAnswer('The codes are copied.');
    } catch {
      setAnswer('Your browser does not let us copy. Download the codes, or write them down.');
    }
  };

  return (
    <>
      <p>
        <b>Keep these codes now: they are never shown again.</b> Put them where your phone is not.
      </p>
      <ol ref={list} className="account-codes" tabIndex={-1} aria-label="Your recovery codes" translate="no">
        {codes.map((code) => (
          <li key={code}>
            <code>{inGroups(code)}</code>
          </li>
        ))}
      </ol>
      <div className="row">
        <Button onClick={onKept}>I have kept them</Button>
        <Button kind="line" onClick={() => void handleCopy()}>
          Copy
        </Button>
        <a
          className="btn btn-line"
          download="recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
        >
          Download
        </a>
      </div>
      <p role="status" className="quiet small">
        {answer}
      </p>
    </>
  );
}

function useCodesText(codes: readonly string[]): string {
  const session = useSession();
  const { name } = useSite();
  const address = 'email' in session ? session.email : '';
  return `${name}: recovery codes of ${address}\nEach works once, in the place of your authenticator app.\n\n${codes.map(inGroups).join('\n')}\n`;
}

/** Groups of four are easier to copy by hand; the server ignores the hyphens. */
function inGroups(code: string): string {
  return code.replaceAll(/.{4}(?=.)/g, '$&-');
}
