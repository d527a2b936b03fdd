import { useCallback } from 'react';
import { ENQUIRY_DELIVERIES, ENQUIRY_STATES, NO_ASSIGNEE } from '../../../src/shared/contracts/enquiries.js';
import { SearchField } from '../../components/search-field.js';
import { enquiryDeliveryWords, enquiryStateWords } from '../../content/enquiries.js';
import { useAssignees, type EnquiryFilter } from './use-enquiries.js';

interface EnquiryFiltersProps {
  readonly filter: EnquiryFilter;
  readonly onChange: (change: Partial<EnquiryFilter>) => void;
}

/** The filters of the list of enquiries. Every change takes effect at once. */
export function EnquiryFilters({ filter, onChange }: EnquiryFiltersProps) {
  const handleSearch = useCallback((search: string) => onChange({ search }), [onChange]);
  const { assignees, nameOf } = useAssignees();
  const { assignee } = filter;
  // An address may name somebody who is no administrator any more: 'Everybody’s' would be wrong, and could not be chosen.
  const isListed = ['', NO_ASSIGNEE, ...assignees.map(({ id }) => id)].includes(assignee);
  return (
    <div role="search" className="filters">
      <SearchField label="Search names, addresses and messages" value={filter.search} onSearch={handleSearch} />
      <label>
        <span className="visually-hidden">State</span>
        <select
          value={filter.state}
          onChange={({ target }) => onChange({ state: ENQUIRY_STATES.find((known) => known === target.value) ?? '' })}
        >
          <option value="">All but spam</option>
          {ENQUIRY_STATES.map((state) => (
            <option key={state} value={state}>
              {enquiryStateWords[state]}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className="visually-hidden">Looked after by</span>
        <select value={assignee} onChange={({ target }) => onChange({ assignee: target.value })}>
          <option value="">Everybody’s</option>
          <option value={NO_ASSIGNEE}>Nobody’s</option>
          {isListed ? null : <option value={assignee}>{nameOf(assignee)}</option>}
          {assignees.map(({ id, email }) => (
            <option key={id} value={id}>
              {email ?? id}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className="visually-hidden">Mail</span>
        <select
          value={filter.delivery}
          onChange={({ target }) =>
            onChange({ delivery: ENQUIRY_DELIVERIES.find((known) => known === target.value) ?? '' })
          }
        >
          <option value="">All mails</option>
          {ENQUIRY_DELIVERIES.map((delivery) => (
            <option key={delivery} value={delivery}>
              {enquiryDeliveryWords[delivery]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
