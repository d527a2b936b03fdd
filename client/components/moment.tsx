import { formatDay, formatMoment } from '../lib/format-moment.js';
import { useSite } from '../lib/site-context.js';

interface MomentProps {
  /** ISO 8601. */
  readonly at: string;
  readonly className?: string;
}

/** A moment like 'Dec 1, 2026, 9:00 AM' in the site's time zone, which the frame of the admin area names. */
export function Moment({ at, className }: MomentProps) {
  return (
    <time dateTime={at} className={className}>
      {formatMoment(at, useSite().timeZone)}
    </time>
  );
}

/** The day of a moment, like 'Dec 1, 2026'; see {@link Moment}. */
export function Day({ at, className }: MomentProps) {
  return (
    <time dateTime={at} className={className}>
      {formatDay(at, useSite().timeZone)}
    </time>
  );
}
