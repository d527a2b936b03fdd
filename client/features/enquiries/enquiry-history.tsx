import { useQuery } from '@tanstack/react-query';
import type { AuditPage } from '../../../src/shared/contracts/audit.js';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import { Moment } from '../../components/moment.js';
import { actorWords, toActionWords } from '../../content/audit.js';
import { useAdminApi } from '../../lib/admin-context.js';

/** The activity about one enquiry. @param version of the enquiry: each has another history */
export function EnquiryHistory({ id, version }: { readonly id: string; readonly version: number }) {
  const api = useAdminApi();
  const { data } = useQuery({
    queryKey: ['audit', 'enquiry', id, version],
    queryFn: ({ signal }) =>
      api.get<AuditPage>(adminPaths.audit, {
        signal,
        query: { subject_type: 'enquiry', subject_id: id },
        isBackground: true,
      }),
    placeholderData: (before) => before,
  });
  if (!data || data.items.length === 0) return null;
  return (
    <section className="enquiry-history" aria-labelledby="enquiry-history">
      <h2 id="enquiry-history">What was done</h2>
      <ol role="list" className="audit-lines">
        {data.items.map(({ id: line, at, actor, actor_kind: kind, action, details }) => (
          <li key={line}>
            <p>
              <b>{actor ?? actorWords[kind]}</b> {toActionWords(action).join(' ').trim()}
              {details['to'] === undefined ? null : ` to ${String(details['to'])}`}
            </p>
            <p className="row-meta">
              <Moment at={at} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
