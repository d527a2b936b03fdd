import type { ReactNode } from 'react';
import type {
  Attention,
  NewEnquiry,
  Overview,
  SiteHealth,
  WaitingSettings,
} from '../../../src/shared/contracts/overview.js';
import type { AdminPostListItem } from '../../../src/shared/contracts/admin-posts.js';
import { paths } from '../../../src/shared/paths.js';
import { Badge } from '../../components/badge.js';
import { Fetched } from '../../components/fetched.js';
import { Moment } from '../../components/moment.js';
import { describeWaitingSettings, overviewMessages as messages } from '../../content/overview.js';
import { useAdminApi } from '../../lib/admin-context.js';
import { useSite } from '../../lib/site-context.js';
import { GoodStart } from './good-start.js';
import { Part } from './overview-part.js';
import { useOverview } from './use-overview.js';

/** The start page: each part alone, so that one that failed takes none with it. */
export function OverviewScreen() {
  return (
    <Fetched query={useOverview()} messages={messages}>
      {(overview) => <Parts overview={overview} />}
    </Fetched>
  );
}

function Parts({ overview }: { readonly overview: Overview }) {
  const { failed, enquiries, waiting, scheduled, reads, health } = overview;
  const { readCountsDays } = useSite();
  const isAdmin = useAdminApi().person.role === 'admin';
  return (
    <div className="overview">
      <GoodStart steps={overview.start ?? []} />
      {isAdmin ? (
        <>
          <Health health={health} hasFailed={failed.includes('health')} />
          <Part
            part="enquiries"
            words={messages.enquiries}
            to={paths.admin.enquiries}
            hasFailed={failed.includes('enquiries')}
            count={enquiries?.count ?? 0}
            shown={enquiries?.items.length ?? 0}
          >
            <ul role="list" className="overview-list">
              {enquiries?.items.map((enquiry) => (
                <EnquiryLine key={enquiry.id} enquiry={enquiry} />
              ))}
            </ul>
          </Part>
        </>
      ) : null}
      <Part
        part="waiting"
        words={messages.waiting}
        to={paths.admin.blogs}
        hasFailed={failed.includes('waiting')}
        count={waiting?.count ?? 0}
        shown={waiting?.items.length ?? 0}
      >
        <PostLines posts={waiting?.items ?? []} describe={describeWaiting} />
      </Part>
      <Settings settings={overview.settings ?? []} hasFailed={failed.includes('settings')} />
      <Part
        part="scheduled"
        words={messages.scheduled}
        to={`${paths.admin.blogs}?state=scheduled`}
        hasFailed={failed.includes('scheduled')}
        count={scheduled?.count ?? 0}
        shown={scheduled?.items.length ?? 0}
      >
        <PostLines
          posts={scheduled?.items ?? []}
          describe={({ scheduled_at: at }) => (at ? <Moment at={at} /> : null)}
        />
      </Part>
      {readCountsDays === null ? null : <Reads reads={reads} hasFailed={failed.includes('reads')} />}
    </div>
  );
}

function Health({ health, hasFailed }: { readonly health: SiteHealth | null; readonly hasFailed: boolean }) {
  const items = health?.items ?? [];
  const isFirst = health?.checked_at === null;
  const words = { ...messages.health, none: isFirst ? messages.health.running : messages.health.none };
  return (
    <Part part="health" words={words} hasFailed={hasFailed} count={items.length} shown={items.length}>
      <ul role="list" className="overview-list">
        {items.map((item) => (
          <AttentionLine key={item.check} item={item} />
        ))}
      </ul>
    </Part>
  );
}

function AttentionLine({ item: { is_urgent: isUrgent, title, advice, command } }: { readonly item: Attention }) {
  return (
    <li>
      <p>
        <strong>{title}</strong> {isUrgent ? <Badge kind="signal">Urgent</Badge> : null}
      </p>
      <p>{advice}</p>
      {command ? (
        <p className="quiet small">
          {messages.command} <code>{command}</code>
        </p>
      ) : null}
    </li>
  );
}

function EnquiryLine({ enquiry }: { readonly enquiry: NewEnquiry }) {
  const { name, beginning, created_at: createdAt, is_undelivered: isUndelivered } = enquiry;
  return (
    <li>
      <p className="overview-line">
        <a href={paths.admin.enquiry(enquiry.id)}>{name}</a>
        <Moment className="quiet small" at={createdAt} />
      </p>
      <p className="quiet">{beginning || messages.gone}</p>
      {isUndelivered ? (
        <p>
          <Badge kind="signal">{messages.undelivered}</Badge>
        </p>
      ) : null}
    </li>
  );
}

function describeWaiting({ is_published: isPublished }: AdminPostListItem): ReactNode {
  return isPublished ? 'Unsaved changes' : 'Draft';
}

const SETTINGS_SCREENS: Readonly<Record<string, { readonly to: string; readonly label: string }>> = {
  company: { to: paths.admin.company, label: 'Company' },
  pages: { to: paths.admin.pages, label: 'Pages' },
};

interface SettingsProps {
  readonly settings: readonly WaitingSettings[];
  readonly hasFailed: boolean;
}

/** Drafts of what pages say; nothing where none waits, as they are rare. */
function Settings({ settings, hasFailed }: SettingsProps) {
  if (settings.length === 0 && !hasFailed) return null;
  const words = { ...messages.settings, none: '' };
  return (
    <Part part="settings" words={words} hasFailed={hasFailed} count={settings.length} shown={settings.length}>
      <ul role="list" className="overview-list">
        {settings.map(({ document, changes, changed_by: by, changed_at: at }) => (
          <li key={document} className="overview-line">
            <a href={SETTINGS_SCREENS[document]?.to}>{SETTINGS_SCREENS[document]?.label ?? document}</a>
            <span className="quiet small">
              {describeWaitingSettings(changes, by)}
              {at === null ? null : (
                <>
                  , <Moment at={at} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

interface PostLinesProps {
  readonly posts: readonly AdminPostListItem[];
  readonly describe: (post: AdminPostListItem) => ReactNode;
}

function PostLines({ posts, describe }: PostLinesProps) {
  return (
    <ul role="list" className="overview-list">
      {posts.map((post) => (
        <li key={post.id} className="overview-line">
          <a href={paths.admin.blog(post.id)}>{post.title || messages.untitled}</a>
          <span className="quiet small">{describe(post)}</span>
        </li>
      ))}
    </ul>
  );
}

interface ReadsProps {
  readonly reads: Overview['reads'];
  readonly hasFailed: boolean;
}

function Reads({ reads, hasFailed }: ReadsProps) {
  const { total = 0, posts = [] } = reads ?? {};
  return (
    <Part part="reads" words={messages.reads} to={paths.admin.reads} hasFailed={hasFailed} count={total} shown={total}>
      <ul role="list" className="overview-list">
        {posts.map(({ id, title, count }) => (
          <li key={id} className="overview-line">
            <a href={paths.admin.blog(id)}>{title}</a>
            <span className="quiet small numeric">{count.toLocaleString('en-US')}</span>
          </li>
        ))}
      </ul>
    </Part>
  );
}
