import { useCallback } from 'react';
import { ENQUIRY_STATES } from '../../../src/shared/contracts/enquiries.js';
import { SearchField } from '../../components/search-field.js';
import { enquiryStateWords } from '../../content/enquiries.js';
import type { EnquiryFilter } from './use-enquiries.js';

interface EnquiryFiltersProps {
  readonly filter: EnquiryFilter;
  readonly onChange: (change: Partial<EnquiryFilter>) => void;
}

/** The filters of the list of enquiries. Every change takes effect at once. */
export function EnquiryFilters({ filter, onChange }: EnquiryFiltersProps) {
  const handleSearch = useCallback((search: string) => onChange({ search }), [onChange]);
  return (
    <div role="search" className="filters">
      <SearchField label="Search names, addresses and messages" value={filter.search} onSearch={handleSearch} />
      <label>
        <span className="visually-hidden">State</span>
        <select
          value={filter.state}
          onChange={({ target }) => onChange({ state: ENQUIRY_STATES.find((known) => known === target.value) ?? '' })}
        >
          <option value="">All states</option>
          {ENQUIRY_STATES.map((state) => (
            <option key={state} value={state}>
              {enquiryStateWords[state]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
