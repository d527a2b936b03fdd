import { useEffect, useRef } from 'react';
import { Button } from '../../components/button.js';
import { Notice } from '../../components/notice.js';
import { enquiryMessages as messages } from '../../content/enquiries.js';
import { describeError, isAccessDenied } from '../../lib/api-errors.js';
import { showToast } from '../../lib/toast.js';
import { EnquiryFilters } from './enquiry-filters.js';
import { EnquiryRow } from './enquiry-row.js';
import { useEnquiries, useEnquiryFilter } from './use-enquiries.js';
import { useEnquiryActions } from './use-enquiry-actions.js';

/** What people wrote with the contact form, the newest first: found, followed up, erased. */
export function EnquiryManager() {
  const [filter, changeFilter] = useEnquiryFilter();
  const list = useEnquiries(filter);
  const { enquiries, error } = list;
  const isNarrowed = filter.search !== '' || filter.state !== '';
  useEffect(() => {
    if (error && !isAccessDenied(error)) showToast({ kind: 'error', title: 'Error', text: messages.fetchFailed });
  }, [error]);
  return (
    <div className="managed-posts" aria-busy={list.isFetching}>
      {/* Uncontrolled fields: another filter in the address is another form. */}
      <EnquiryFilters key={JSON.stringify(filter)} filter={filter} onChange={changeFilter} />
      {error ? <FetchFailure error={error} onRetry={() => void list.refetch()} /> : null}
      {list.isPending ? <ListNote>{messages.loading}</ListNote> : null}
      {list.isSuccess && enquiries.length === 0 ? (
        <ListNote>{isNarrowed ? messages.nothingFound : messages.empty}</ListNote>
      ) : null}
      <Rows list={list} />
    </div>
  );
}

function ListNote({ children }: { readonly children: string }) {
  return (
    <p role="status" className="list-note">
      {children}
    </p>
  );
}

function FetchFailure({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  return (
    <div role="alert">
      <Notice kind="error">
        <p>
          <b>{messages.fetchFailed}</b>: {describeError(error)}
        </p>
        <p>
          <Button isSmall kind="line" onClick={onRetry}>
            Try again
          </Button>
        </p>
      </Notice>
    </div>
  );
}

type List = ReturnType<typeof useEnquiries>;

function Rows({ list }: { readonly list: List }) {
  const { enquiries } = list;
  const { failure, ...actions } = useEnquiryActions();
  const rows = useRef<HTMLUListElement>(null);
  const focused = useRef(-1);

  // The button that was pressed may be gone with its row: the keyboard goes on at the row in its place.
  useEffect(() => {
    const place = focused.current;
    focused.current = -1;
    if (place < 0 || document.activeElement !== document.body) return;
    const next = rows.current?.querySelectorAll<HTMLElement>('.enquiry-row')[Math.min(place, enquiries.length - 1)];
    next?.focus();
  }, [enquiries]);

  const noteFocus = (target: EventTarget) => {
    const items = [...(rows.current?.children ?? [])];
    focused.current = items.findIndex((item) => item.contains(target as Node));
  };

  return (
    <>
      <div role="alert">{failure ? <Notice kind="error">{failure}</Notice> : null}</div>
      {enquiries.length > 0 ? (
        <>
          <ul role="list" ref={rows} className="post-rows" onFocus={(event) => noteFocus(event.target)}>
            {enquiries.map((enquiry) => (
              <li key={enquiry.id}>
                <EnquiryRow enquiry={enquiry} actions={actions} />
              </li>
            ))}
          </ul>
          <More list={list} />
        </>
      ) : null}
    </>
  );
}

function More({ list }: { readonly list: List }) {
  const { enquiries, hasNextPage, isFetchingNextPage } = list;
  const shown = enquiries.length === 1 ? '1 enquiry' : `${enquiries.length} enquiries`;
  const handleMore = () => {
    if (!isFetchingNextPage) void list.fetchNextPage();
  };
  return (
    <div className="list-more">
      <p role="status" className="quiet numeric">
        {shown} shown{hasNextPage ? ', there are more.' : ', no more to load.'}
      </p>
      {hasNextPage ? (
        <Button kind="line" aria-disabled={isFetchingNextPage} onClick={handleMore}>
          {isFetchingNextPage ? 'Loading more...' : 'Load more'}
        </Button>
      ) : null}
    </div>
  );
}
