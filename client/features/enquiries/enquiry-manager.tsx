import { useEffect, useRef } from 'react';
import { paths } from '../../../src/shared/paths.js';
import { FetchFailure } from '../../components/fetch-failure.js';
import { LoadMore } from '../../components/load-more.js';
import { Notice } from '../../components/notice.js';
import { enquiryMessages as messages } from '../../content/enquiries.js';
import { EnquiryFilters } from './enquiry-filters.js';
import { EnquiryRow } from './enquiry-row.js';
import { useEnquiries, useEnquiryFilter } from './use-enquiries.js';
import { useEnquiryActions } from './use-enquiry-actions.js';

/** The list of enquiries, newest first, with search and actions. */
export function EnquiryManager() {
  const [filter, changeFilter] = useEnquiryFilter();
  const list = useEnquiries(filter);
  const { enquiries } = list;
  const isNarrowed = Object.values(filter).some((value) => value !== '');
  return (
    <div className="managed-posts" aria-busy={list.isFetching}>
      <EnquiryFilters filter={filter} onChange={changeFilter} />
      <FetchFailure query={list} message={messages.fetchFailed} isListShown={enquiries.length > 0} />
      {list.isPending && !list.isPaused ? <ListNote>{messages.loading}</ListNote> : null}
      {list.isSuccess && enquiries.length === 0 && !list.isPlaceholderData ? (
        <ListNote>{isNarrowed ? messages.nothingFound : messages.empty}</ListNote>
      ) : null}
      <Rows list={list} />
      {filter.state === '' && list.isSuccess ? (
        <p className="small">
          <a href={`${paths.admin.enquiries}?state=spam`}>Look into the spam</a>
        </p>
      ) : null}
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

type List = ReturnType<typeof useEnquiries>;

function Rows({ list }: { readonly list: List }) {
  const { enquiries } = list;
  const { failure, ...actions } = useEnquiryActions();
  const rows = useRef<HTMLUListElement>(null);
  const focused = useRef<{ readonly target: Element; readonly place: number } | null>(null);

  // The button that was pressed may be gone with its row: the keyboard goes on at the row in its place.
  useEffect(() => {
    if (focused.current === null || focused.current.target.isConnected) return;
    const { place } = focused.current;
    focused.current = null;
    if (document.activeElement !== document.body) return;
    const next = rows.current?.querySelectorAll<HTMLElement>('.enquiry-row')[Math.min(place, enquiries.length - 1)];
    next?.focus();
  }, [enquiries]);

  const noteFocus = (target: Element) => {
    const items = [...(rows.current?.children ?? [])];
    focused.current = { target, place: items.findIndex((item) => item.contains(target)) };
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
          <LoadMore count={enquiries.length} nouns={['enquiry', 'enquiries']} itemSelector=".enquiry-row" list={list} />
        </>
      ) : null}
    </>
  );
}
