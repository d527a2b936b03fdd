import type { AuditEntry } from '../../../src/shared/contracts/audit.js';
import { paths } from '../../../src/shared/paths.js';
import { FactLine } from '../../components/fact-line.js';
import { FetchFailure } from '../../components/fetch-failure.js';
import { LoadMore } from '../../components/load-more.js';
import { Moment } from '../../components/moment.js';
import { describeDetail } from '../../content/audit-details.js';
import { actorWords, auditMessages as messages, toActionWords } from '../../content/audit.js';
import { AuditFilters } from './audit-filters.js';
import { useSite } from '../../lib/site-context.js';
import { useAudit, useAuditFilter } from './use-audit.js';

/** The audit log in plain words, newest first. */
export function ActivityLog() {
  const { filter, change, clear } = useAuditFilter();
  const log = useAudit(filter);
  const { entries } = log;
  const isNarrowed = Object.values(filter).some((value) => value !== '');
  return (
    <div aria-busy={log.isFetching}>
      <AuditFilters filter={filter} onChange={change} onClear={clear} />
      <FetchFailure query={log} message={messages.fetchFailed} isListShown={entries.length > 0} />
      {log.isPending && !log.isPaused ? (
        <p role="status" className="list-note">
          {messages.loading}
        </p>
      ) : null}
      {log.isSuccess && entries.length === 0 && !log.isPlaceholderData ? (
        <p role="status" className="list-note">
          {isNarrowed ? messages.nothingFound : messages.empty}
        </p>
      ) : null}
      {entries.length > 0 ? <Lines log={log} /> : null}
    </div>
  );
}

function Lines({ log }: { readonly log: ReturnType<typeof useAudit> }) {
  const { entries } = log;
  return (
    <>
      <ol role="list" className="audit-lines">
        {entries.map((entry) => (
          <li key={entry.id} tabIndex={-1}>
            <Line entry={entry} />
          </li>
        ))}
      </ol>
      <LoadMore count={entries.length} nouns={['line', 'lines']} itemSelector=".audit-lines > li" list={log} />
    </>
  );
}

function Line({ entry }: { readonly entry: AuditEntry }) {
  const { at, actor, actor_kind: kind, action, subject, details } = entry;
  const { timeZone } = useSite();
  const shown = Object.entries(details).filter(([, value]) => value !== null && value !== '');
  const [before, after] = toActionWords(action);
  return (
    <>
      <p>
        <b>{actor ?? actorWords[kind]}</b> {before} <Subject entry={entry} /> {after}
      </p>
      <FactLine>
        <Moment at={at} />
        {shown.map(([name, value]) => (
          <span key={name}>{describeDetail(name, value, timeZone)}</span>
        ))}
        {subject === '' ? null : <OnlyThis entry={entry} />}
      </FactLine>
    </>
  );
}

function Subject({ entry: { action, subject, subject_type: type, subject_id: id } }: { readonly entry: AuditEntry }) {
  if (type === 'enquiry') return id === '' ? null : <a href={paths.admin.enquiry(id)}>{subject}</a>;
  const words = subject || '(no title)';
  if (type === 'post' && action !== 'post.deleted') return <a href={paths.admin.blog(id)}>{words}</a>;
  return <span>{words}</span>;
}

/** Filters the audit log by the subject of this line. */
function OnlyThis({ entry: { subject, subject_type: type, subject_id: id } }: { readonly entry: AuditEntry }) {
  const search = new URLSearchParams({ subject_type: type, subject_id: id }).toString();
  return (
    <a href={`${paths.admin.audit}?${search}`}>
      All about it<span className="visually-hidden">: {subject}</span>
    </a>
  );
}
