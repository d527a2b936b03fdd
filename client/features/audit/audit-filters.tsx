import type { SubmitEvent } from 'react';
import { Button } from '../../components/button.js';
import { actionWords } from '../../content/audit.js';
import type { AuditFilter } from './use-audit.js';

interface AuditFiltersProps {
  readonly filter: AuditFilter;
  readonly onChange: (filter: Partial<AuditFilter>) => void;
}

/** The filters of the audit log. */
export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const read = (name: string) => {
      const value = data.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    onChange({ actor: read('actor'), action: read('action') });
  };
  const isNarrowed = Object.values(filter).some((value) => value !== '');
  return (
    <form role="search" className="filters" onSubmit={handleSubmit}>
      <label className="filter-search">
        <span className="visually-hidden">Who (email, operator or system)</span>
        <input
          name="actor"
          type="search"
          placeholder="Who (email, operator or system)"
          defaultValue={filter.actor}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={255}
        />
      </label>
      <label>
        <span className="visually-hidden">What was done</span>
        <select name="action" defaultValue={filter.action}>
          <option value="">Everything</option>
          {Object.entries(actionWords).map(([action, words]) => (
            <option key={action} value={action}>
              {words}
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
            Show everything
          </Button>
        ) : null}
      </div>
    </form>
  );
}
