import { useState } from 'react';
import { paths } from '../../../src/shared/paths.js';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { accountMessages } from '../../content/accounts.js';
import { fetchFile } from '../../lib/fetch-file.js';
import { saveFile } from '../../lib/save-file.js';
import { AccountPart } from './account-part.js';
import { useFailureWords, useOwnApi, type Owner } from './own-account-api.js';

/** A copy of what is kept about the user, as a file. */
export function DataPart({ owner }: { readonly owner: Owner }) {
  const getApi = useOwnApi(owner);
  const describe = useFailureWords();
  const [isBusy, setIsBusy] = useState(false);
  const [outcome, setOutcome] = useState<{ readonly kind: 'success' | 'error'; readonly text: string } | null>(null);

  const handleSave = async () => {
    if (isBusy) return;
    setIsBusy(true);
    setOutcome(null);
    try {
      const api = await getApi();
      saveFile(await api.withSession(fetchCopy, { isBackground: true }), 'account.json');
      setOutcome({ kind: 'success', text: accountMessages.copySaved });
    } catch (error) {
      setOutcome({ kind: 'error', text: await describe(error) });
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <AccountPart id="account-data" title="Your data">
      <p className="quiet">
        What we keep about you, in one file: your account, where you are signed in, and the messages that came from your
        address, if we know that you read its mail. Otherwise, ask us for them.
      </p>
      <p>
        <Button kind="line" aria-disabled={isBusy} onClick={() => void handleSave()}>
          {isBusy ? 'One moment...' : 'Download my data'}
        </Button>
      </p>
      <div role="status">
        {outcome ? (
          <Notice kind={outcome.kind}>
            <p>{outcome.text}</p>
          </Notice>
        ) : null}
      </div>
    </AccountPart>
  );
}

async function fetchCopy(token: string): Promise<Blob> {
  const copy = await fetchFile(paths.api.accountExport, token);
  // People read it.
  const text = JSON.stringify(JSON.parse(await copy.text()), null, 2);
  return new Blob([text], { type: 'application/json' });
}
