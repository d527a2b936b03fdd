import { labelOfFact } from './company.js';
import { describePath } from './page-texts.js';

/** A fact of a line of the activity in words: names of settings as their screens have them, and yes or no. */
export function describeDetail(name: string, value: unknown): string {
  const label = name.replaceAll('_', ' ');
  if (typeof value === 'boolean') return `${label}: ${value ? 'yes' : 'no'}`;
  const words = String(value);
  return `${label}: ${name === 'changed' ? words.split(', ').map(labelOfSetting).join(', ') : words}`;
}

/** Page texts have a point in their name, facts of the company have none. What this release does not know stays as it is. */
function labelOfSetting(name: string): string {
  return name.includes('.') ? describePath(name) : labelOfFact(name);
}
