import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { ContentListener } from '../database/content-listener.js';
import { RolesService } from '../roles/roles.service.js';
import { userIdOf, type Actor } from '../shared/actor.js';
import { Clock } from '../shared/clock.js';
import type { PostPresence, PresenceInput } from '../shared/contracts/post-presence.js';
import { OpenEditors, type OpenEditor } from './open-editors.js';
import { Post } from './post.entity.js';
import { nameFor, reachedBy } from './post-rights.js';
import { PostNotFoundException } from './post.errors.js';

const CHANNEL = 'post_open';
/** Columns of the answer. */
const FIELDS = [
  'version',
  'lastSaveId',
  'deletedAt',
  'updatedAt',
  'keptAt',
  'savedBy.email',
  'savedBy.deletedAt',
  'keptBy.email',
  'keptBy.deletedAt',
] as const;

/**
 * Knows who has a post open (decision 74). Nothing of it is stored: each process remembers what the editors told any of
 * them in the last seconds. For administrators and authors.
 */
@Injectable()
export class PresenceService {
  private readonly editors = new OpenEditors();

  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
    private readonly clock: Clock,
    private readonly listener: ContentListener,
  ) {
    this.listener.onMessage(CHANNEL, (message) => this.hear(message));
  }

  /** Notes that an editor has a post open, and tells who else has. @throws PostNotFoundException */
  async note(actor: Actor, postId: string, { tab, is_hidden: isHidden = false }: PresenceInput): Promise<PostPresence> {
    const scope = await this.roles.requireAuthor(actor);
    const userId = userIdOf(actor);
    const em = this.em.fork({ disableTransactions: true });
    const post = await em.findOne(
      Post,
      { id: postId, ...reachedBy(scope) },
      { fields: FIELDS, populate: ['savedBy', 'keptBy'] },
    );
    if (post === null) throw new PostNotFoundException();
    if (userId !== null) await this.tell(em, { postId, userId, tab, isHidden });
    const people = this.editors.ofPost(postId, this.clock.now().getTime());
    const others = [...people.keys()].filter((id) => id !== userId);
    const own = userId === null ? [] : (people.get(userId) ?? []);
    const writer = post.keptAt ? post.keptBy : post.savedBy;
    return {
      others: (await findPeople(em, others)).flatMap((person) => nameFor(scope, person) ?? []),
      is_open_elsewhere: own.some((other) => other !== tab),
      version: post.version,
      save_id: post.lastSaveId ?? null,
      is_trashed: post.deletedAt != null,
      is_kept: post.keptAt != null,
      written_by: nameFor(scope, writer),
      changed_at: (post.keptAt && post.keptAt > post.updatedAt ? post.keptAt : post.updatedAt).toISOString(),
    };
  }

  /** Every process hears it, this one at once. */
  private async tell(em: EntityManager, editor: OpenEditor): Promise<void> {
    this.editors.note(editor, this.clock.now().getTime());
    const { postId, userId, tab, isHidden } = editor;
    const message = [postId, userId, tab, ...(isHidden ? ['hidden'] : [])].join(' ');
    await em.execute('select pg_notify(?, ?)', [CHANNEL, message]);
  }

  private hear(message: string): void {
    const [postId, userId, tab, hidden] = message.split(' ');
    if (!postId || !userId || !tab) return;
    this.editors.note({ postId, userId, tab, isHidden: hidden === 'hidden' }, this.clock.now().getTime());
  }
}

async function findPeople(em: EntityManager, userIds: readonly string[]) {
  if (userIds.length === 0) return [];
  return await em.execute<{ id: string; email: string | null }[]>(
    'select id, email from auth.users where id = any(?::uuid[]) and deleted_at is null order by email',
    [`{${userIds.join(',')}}`],
  );
}
