import type { OverviewPart } from '../../src/shared/contracts/overview.js';

/** The words of the start page of the admin area. */
export const overviewMessages = {
  title: 'Start',
  lede: 'What came in, what waits, and what needs attention',
  loading: 'Looking around...',
  fetchFailed: { title: 'Error', text: 'Failed to fetch the start page' },
  health: {
    title: 'Needs attention',
    none: 'Everything that was looked at works: mail, backups, the disk, pictures.',
    running: 'Mail, backups and the disk are being looked at...',
  },
  enquiries: { title: 'New enquiries', none: 'No enquiry waits for you.', all: 'All enquiries' },
  undelivered: 'Its mail has not been delivered yet',
  gone: 'The message was removed when its time was over.',
  waiting: {
    title: 'Drafts and unsaved changes',
    none: 'Nothing is left half written. New posts begin with ‘New Post’.',
    all: 'All posts',
  },
  scheduled: { title: 'Scheduled', none: 'No post is scheduled.', all: 'All scheduled posts' },
  reads: {
    title: 'Read in the last 30 days',
    none: 'Nothing was read yet, as far as browsers told.',
    all: 'All reads',
  },
  untitled: 'Untitled',
  command: 'Command for the server:',
} as const;

/** Names of parts, as a sentence says them that could not be shown. */
const partNames: Readonly<Record<OverviewPart, string>> = {
  enquiries: 'New enquiries',
  waiting: 'Drafts',
  scheduled: 'Scheduled posts',
  reads: 'Reads',
  health: 'The state of the server',
};

/** Says that a part could not be found out. */
export function describeFailure(part: OverviewPart): string {
  return `${partNames[part]} could not be looked up just now. The rest of this page is as it should be.`;
}

/** Returns a sentence for those that a short list leaves out; null where it has all. */
export function countMore(shown: number, count: number): string | null {
  return count > shown ? `and ${(count - shown).toLocaleString('en-US')} more` : null;
}
