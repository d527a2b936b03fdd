/** The words of the screen of reads. */
export const readMessages = {
  title: 'Reads',
  lede: 'How often posts were read, and which sites led people to them. Robots and people who are signed in are left out.',
  loading: 'Loading reads...',
  none: 'Nothing was read in the last 30 days, as far as browsers told.',
  fetchFailed: { title: 'Error', text: 'Failed to fetch reads' },
  off: 'Reads are not counted here (READ_COUNTS).',
  days: 'Reads by day, last 30 days',
  months: 'By month',
  posts: 'Most read, last 30 days',
  referrers: 'Sites that led people here, last 30 days',
} as const;

/** Returns a number of reads in words. */
export function countReads(count: number): string {
  return count === 1 ? '1 read' : `${count.toLocaleString('en-US')} reads`;
}

/** Returns the name of a site for people. */
export function nameReferrer(host: string): string {
  return host === 'others' ? 'Other sites' : host;
}
