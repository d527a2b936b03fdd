import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ReadReport } from '../../../src/shared/contracts/reads.js';
import { adminPaths } from '../../../src/shared/admin-paths.js';
import { paths } from '../../../src/shared/paths.js';
import { Fetched } from '../../components/fetched.js';
import { countReads, nameReferrer, readMessages as messages } from '../../content/reads.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { DayChart } from './day-chart.js';

/** How often posts were read: all of them, or the one in the address. */
export function ReadsReport() {
  const [params] = useSearchParams();
  const post = params.get('post') ?? undefined;
  const api = useAdminApi();
  const query = useQuery({
    queryKey: ['reads', post],
    queryFn: ({ signal }) => api.get<ReadReport>(adminPaths.reads, { signal, query: { post }, isBackground: true }),
    placeholderData: keepPreviousData,
  });
  return (
    <Fetched query={query} messages={messages}>
      {(report) => <Report report={report} />}
    </Fetched>
  );
}

function Report({ report: { post, days, months, posts, referrers } }: { readonly report: ReadReport }) {
  const total = days.reduce((sum, { count }) => sum + count, 0);
  return (
    <div className="reads">
      {post ? (
        <p>
          <strong>{post.title}</strong> <a href={paths.admin.reads}>All posts</a>
        </p>
      ) : null}
      <section className="panel">
        <h2>
          {messages.days} <span className="quiet numeric">{countReads(total)}</span>
        </h2>
        {total === 0 ? <p className="quiet">{messages.none}</p> : <DayChart days={days} />}
      </section>
      {post ? null : (
        <Numbers
          title={messages.posts}
          rows={posts.map(({ id, title, count }) => [
            <a key={id} href={`${paths.admin.reads}?post=${id}`}>
              {title}
            </a>,
            count,
          ])}
        />
      )}
      <Numbers title={messages.referrers} rows={referrers.map(({ host, count }) => [nameReferrer(host), count])} />
      <Numbers title={messages.months} rows={months.map(({ month, count }) => [month, count])} />
    </div>
  );
}

interface NumbersProps {
  readonly title: string;
  readonly rows: readonly (readonly [name: ReactNode, count: number])[];
}

/** A list of names with numbers; nothing when it is empty. */
function Numbers({ title, rows }: NumbersProps) {
  const id = useId();
  if (rows.length === 0) return null;
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <table className="read-table">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Reads</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, count], index) => (
            <tr key={index}>
              <th scope="row">{name}</th>
              <td className="numeric">{count.toLocaleString('en-US')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
