import { useEffect, useRef } from 'react';
import type { AuditEntry } from '../../../src/shared/contracts/admin-posts.js';
import { paths } from '../../../src/shared/paths.js';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { actorWords, auditMessages as messages, toActionWords } from '../../content/audit.js';
import { describeError, isToldElsewhere } from '../../lib/api-errors.js';
import { formatMoment } from '../../lib/format-moment.js';
import { showToast } from '../../lib/toast.js';
import { AuditFilters } from './audit-filters.js';
import { useAudit, useAuditFilter } from './use-audit.js';

/** Who did what to which post and role, newest first, in plain words. */
export function ActivityLog() {
  const [filter, changeFilter] = useAuditFilter();
  const log = useAudit(filter);
  const { entries, error } = log;
  const isNarrowed = Object.values(filter).some((value) => value !== '');
  useEffect(() => {
    if (error && !isToldElsewhere(error)) showToast({ kind: 'error', ...messages.fetchFailed });
  }, [error]);
  return (
    <div aria-busy={log.isFetching}>
      {/* Uncontrolled fields: another filter in the address is another form. */}
      <AuditFilters key={JSON.stringify(filter)} filter={filter} onChange={changeFilter} />
      {error && !(isToldElsewhere(error) && entries.length > 0) ? (
        <div role="alert">
          <Notice kind="error">
            <p>
              <b>{messages.fetchFailed.text}</b>: {describeError(error)}
            </p>
            <p>
              <Button isSmall kind="line" onClick={() => void log.refetch()}>
                Try again
              </Button>
            </p>
          </Notice>
        </div>
      ) : null}
      {log.isPending ? (
        <p role="status" className="list-note">
          {messages.loading}
        </p>
      ) : null}
      {log.isSuccess && entries.length === 0 ? (
        <p role="status" className="list-note">
          {isNarrowed ? messages.nothingFound : messages.empty}
        </p>
      ) : null}
      {entries.length > 0 ? <Lines log={log} /> : null}
    </div>
  );
}

function Lines({ log }: { readonly log: ReturnType<typeof useAudit> }) {
  const { entries, hasNextPage, isFetchingNextPage } = log;
  const list = useRef<HTMLOListElement>(null);
  const awaited = useRef<number | null>(null);

  useEffect(() => {
    if (awaited.current === null || entries.length <= awaited.current) return;
    (list.current?.children[awaited.current] as HTMLElement | undefined)?.focus();
    awaited.current = null;
  }, [entries.length]);

  const handleMore = () => {
    if (isFetchingNextPage) return;
    awaited.current = entries.length;
    void log.fetchNextPage();
  };

  return (
    <>
      <ol role="list" ref={list} className="audit-lines">
        {entries.map((entry) => (
          <li key={entry.id} tabIndex={-1}>
            <Line entry={entry} />
          </li>
        ))}
      </ol>
      <div className="list-more">
        <p role="status" className="quiet numeric">
          {entries.length === 1 ? '1 line' : `${entries.length} lines`} shown
          {hasNextPage ? ', there are more.' : ', no more to load.'}
        </p>
        {hasNextPage ? (
          <Button kind="line" aria-disabled={isFetchingNextPage} onClick={handleMore}>
            {isFetchingNextPage ? 'Loading more...' : 'Load more'}
          </Button>
        ) : null}
      </div>
    </>
  );
}

function Line({ entry }: { readonly entry: AuditEntry }) {
  const { at, actor, actor_kind: kind, action, subject, details } = entry;
  // The role is in the words already.
  const shown = Object.entries(details).filter(([name, value]) => name !== 'role' && value !== null && value !== '');
  return (
    <>
      <p>
        <b>{actor ?? actorWords[kind]}</b> {toActionWords(action)} <Subject entry={entry} />
      </p>
      <p className="row-meta">
        <time dateTime={at}>{formatMoment(at)}</time>
        {shown.map(([name, value]) => (
          <span key={name}>
            {name.replaceAll('_', ' ')}: {String(value)}
          </span>
        ))}
        {subject === '' ? null : <OnlyThis entry={entry} />}
      </p>
    </>
  );
}

function Subject({ entry: { action, subject, subject_type: type, subject_id: id } }: { readonly entry: AuditEntry }) {
  const words = subject || '(no title)';
  if (type === 'post' && action !== 'post.deleted') return <a href={paths.admin.blog(id)}>{words}</a>;
  return <span>{words}</span>;
}

/** Narrows the activity to what was done to the same thing. */
function OnlyThis({ entry: { subject, subject_type: type, subject_id: id } }: { readonly entry: AuditEntry }) {
  const search = new URLSearchParams({ subject_type: type, subject_id: id }).toString();
  return (
    <a href={`${paths.admin.audit}?${search}`}>
      All about it<span className="visually-hidden">: {subject}</span>
    </a>
  );
}
