import type { SubmitEvent } from 'react';
import { ENQUIRY_STATES } from '../../../src/shared/contracts/enquiries.js';
import { Button } from '../../components/button.js';
import { enquiryStateWords } from '../../content/enquiries.js';
import type { EnquiryFilter } from './use-enquiries.js';

interface EnquiryFiltersProps {
  readonly filter: EnquiryFilter;
  readonly onChange: (filter: Partial<EnquiryFilter>) => void;
}

/** The filters of the list of enquiries. */
export function EnquiryFilters({ filter, onChange }: EnquiryFiltersProps) {
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const search = data.get('search');
    const state = ENQUIRY_STATES.find((known) => known === data.get('state')) ?? '';
    onChange({ search: typeof search === 'string' ? search.trim() : '', state });
  };
  const isNarrowed = filter.search !== '' || filter.state !== '';
  return (
    <form role="search" className="filters" onSubmit={handleSubmit}>
      <label className="filter-search">
        <span className="visually-hidden">Search names, addresses and messages</span>
        <input
          name="search"
          type="search"
          placeholder="Search names, addresses and messages"
          defaultValue={filter.search}
          maxLength={200}
        />
      </label>
      <label>
        <span className="visually-hidden">State</span>
        <select name="state" defaultValue={filter.state}>
          <option value="">All states</option>
          {ENQUIRY_STATES.map((state) => (
            <option key={state} value={state}>
              {enquiryStateWords[state]}
            </option>
          ))}
        </select>
      </label>
      <div className="row">
        <Button type="submit" kind="line">
          Show
        </Button>
        {isNarrowed ? (
          <Button kind="line" onClick={() => onChange({})}>
            Show all
          </Button>
        ) : null}
      </div>
    </form>
  );
}
