import { paths } from '../../../src/shared/paths.js';

interface ArchiveYearsProps {
  /** Four digits each. */
  readonly years: readonly string[];
  /** The year whose page this is. */
  readonly current?: string | null;
}

/** A quiet line of links to the posts of each year. */
export function ArchiveYears({ years, current = null }: ArchiveYearsProps) {
  return (
    <nav className="archive-years small" aria-label="Posts by year">
      <p className="quiet">Posts by year</p>
      <ul role="list">
        {years.map((year) => (
          <li key={year}>
            <a className="link" href={paths.archive({ year })} aria-current={year === current ? 'page' : undefined}>
              {year}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
