import type { OverviewPart, StartStepName } from '../../src/shared/contracts/overview.js';
import { paths } from '../../src/shared/paths.js';

/** The words of the start page of the admin area. */
export const overviewMessages = {
  title: 'Start',
  lede: 'What waits, what is scheduled, and what came in',
  loading: 'Looking around...',
  fetchFailed: { title: 'Error', text: 'Failed to fetch the start page' },
  start: { title: 'A good start', hide: 'Hide this list', done: 'Done', open: 'To do' },
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
  settings: { title: 'Drafts of company and pages' },
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
  start: 'The list of a good start',
  enquiries: 'New enquiries',
  waiting: 'Drafts',
  settings: 'Drafts of the company and of pages',
  scheduled: 'Scheduled posts',
  reads: 'Reads',
  health: 'The state of the server',
};

/** Says that a part could not be found out. */
export function describeFailure(part: OverviewPart): string {
  return `${partNames[part]} could not be looked up just now. The rest of this page is as it should be.`;
}

/** Says how much of a draft of settings waits, and whose it is. */
export function describeWaitingSettings(changes: number, by: string | null): string {
  const count = changes === 1 ? '1 change waits to be published' : `${changes} changes wait to be published`;
  return by === null ? count : `${count}, by ${by}`;
}

/** The steps of a good start in words, each with the address or the command that helps. */
export const startSteps: Readonly<
  Record<
    StartStepName,
    {
      readonly title: string;
      readonly link?: { readonly to: string; readonly label: string };
      readonly command?: string;
    }
  >
> = {
  name: { title: 'The site has the name of your company', link: { to: paths.admin.company, label: 'Say it' } },
  phone: { title: 'The site has your telephone number', link: { to: paths.admin.company, label: 'Say it' } },
  facts: {
    title: 'Hours, help desk and claims are your own, and no examples',
    link: { to: paths.admin.company, label: 'Say them' },
  },
  post: { title: 'A first post is published', link: { to: paths.admin.newBlog, label: 'Write it' } },
  mail: { title: 'Mail arrives', command: 'npm run cli -- mail test you@example.com' },
  backup: { title: 'A backup is made', command: 'npm run cli -- backup create' },
  factor: { title: 'Your account has a second factor', link: { to: paths.account, label: 'Add one' } },
};
