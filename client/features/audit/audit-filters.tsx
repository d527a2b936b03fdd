import { useCallback } from 'react';
import { Button } from '../../components/button.js';
import { SearchField } from '../../components/search-field.js';
import { actionWords } from '../../content/audit.js';
import { passFocusOn } from '../../lib/pass-focus.js';
import type { AuditFilter } from './use-audit.js';

interface AuditFiltersProps {
  readonly filter: AuditFilter;
  readonly onChange: (change: Partial<AuditFilter>) => void;
  readonly onClear: () => void;
}

/** The filters of the audit log. Every change takes effect at once. */
export function AuditFilters({ filter, onChange, onClear }: AuditFiltersProps) {
  const search = useCallback((actor: string) => onChange({ actor }), [onChange]);
  const isNarrowed = Object.values(filter).some((value) => value !== '');
  return (
    <div role="search" tabIndex={-1} className="filters">
      <SearchField label="Who (email, operator or system)" maxLength={255} value={filter.actor} onSearch={search} />
      <label>
        <span className="visually-hidden">What was done</span>
        <select value={filter.action} onChange={({ target }) => onChange({ action: target.value })}>
          <option value="">Everything</option>
          {Object.entries(actionWords).map(([action, words]) => (
            <option key={action} value={action}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {isNarrowed ? (
        <div className="row">
          <Button ref={passFocusOn} kind="line" onClick={onClear}>
            Show everything
          </Button>
        </div>
      ) : null}
    </div>
  );
}
