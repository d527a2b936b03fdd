import { useInfiniteQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { SettingsVersionItem, SettingsVersions as Versions } from '../../../src/shared/contracts/settings.js';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Modal } from '../../components/modal.js';
import { Moment } from '../../components/moment.js';
import { Notice } from '../../components/notice.js';
import { nameOfKind } from '../../content/settings.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { describeError } from '../../lib/api-errors.js';
import type { SettingsKind } from './settings-kind.js';
import { versionsKeyOf, type SettingsActions } from './use-settings.js';
import type { SettingsForm } from './use-settings-form.js';

interface SettingsVersionsProps {
  readonly kind: SettingsKind;
  readonly form: SettingsForm;
  readonly actions: SettingsActions;
}

/** Lists what was published, by whom and when, with the way back to it. */
export function SettingsVersions({ kind, form, actions }: SettingsVersionsProps) {
  const id = useId();
  const api = useAdminApi();
  const [wanted, setWanted] = useState<number | null>(null);
  const { data, error, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: versionsKeyOf(kind.document),
    queryFn: ({ pageParam, signal }) =>
      api.get<Versions>(adminPaths.settingsVersions(kind.document), {
        signal,
        query: { before: pageParam },
        isBackground: true,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next_before,
  });
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  const handleRestore = async (version: number) => {
    setWanted(null);
    await actions.restore(version);
  };
  return (
    <section className="panel settings-versions" aria-labelledby={id}>
      <h2 id={id}>Versions</h2>
      {error ? <Notice kind="error">{describeError(error)}</Notice> : null}
      {data && items.length === 0 ? <p className="quiet">None yet: each time you publish, one is kept.</p> : null}
      <ol role="list">
        {items.map((item) => (
          <Version
            key={item.version}
            item={item}
            kind={kind}
            isCurrent={item.version === form.view.version}
            onRestore={() => {
              // What is in the way is asked for first.
              if (form.changed.length > 0) setWanted(item.version);
              else void handleRestore(item.version);
            }}
          />
        ))}
      </ol>
      {hasNextPage ? (
        <Button kind="line" isSmall onClick={() => void fetchNextPage()}>
          Show older versions
        </Button>
      ) : null}
      {wanted === null ? null : (
        <Modal title={`Bring back version ${wanted}?`} onClose={() => setWanted(null)}>
          <p>It takes the place of the changes that wait. What is published stays as it is until you publish.</p>
          <div className="row">
            <Button onClick={() => void handleRestore(wanted)}>Bring back</Button>
            <Button kind="line" onClick={() => setWanted(null)}>
              Cancel
            </Button>
          </div>
        </Modal>
      )}
    </section>
  );
}

interface VersionProps {
  readonly item: SettingsVersionItem;
  readonly kind: SettingsKind;
  readonly isCurrent: boolean;
  readonly onRestore: () => void;
}

function Version({ item, kind, isCurrent, onRestore }: VersionProps) {
  const { version, published_at: at, published_by: by, published_by_kind: byKind, changed } = item;
  return (
    <li>
      <p>
        <b>Version {version}</b> {isCurrent ? <Badge kind="accent">On pages now</Badge> : null}
        <span className="row-meta">
          <Moment at={at} />, {by ?? nameOfKind(byKind)}: {changed.map((name) => kind.labelOf(name)).join(', ')}
        </span>
      </p>
      {isCurrent ? null : (
        <Button kind="line" isSmall onClick={onRestore}>
          Bring back<span className="visually-hidden"> version {version}</span>
        </Button>
      )}
    </li>
  );
}
