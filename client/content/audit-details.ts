import { labelOfFact } from './company.js';
import { describePath } from './page-texts.js';
import { formatMoment } from '../lib/format-moment.js';

/** As the server writes moments: in UTC, for programs. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

/** A fact of a line of the activity in words: names of settings as their screens have them, moments in the site's zone, yes or no. */
export function describeDetail(name: string, value: unknown, timeZone: string | undefined): string {
  const label = name.replaceAll('_', ' ');
  if (typeof value === 'boolean') return `${label}: ${value ? 'yes' : 'no'}`;
  const words = String(value);
  if (MOMENT.test(words)) return `${label}: ${formatMoment(words, timeZone)}`;
  return `${label}: ${name === 'changed' ? words.split(', ').map(labelOfSetting).join(', ') : words}`;
}

/** Page texts have a point in their name, facts of the company have none. What this release does not know stays as it is. */
function labelOfSetting(name: string): string {
  return name.includes('.') ? describePath(name) : labelOfFact(name);
}
