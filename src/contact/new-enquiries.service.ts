import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { RolesService } from '../roles/roles.service.js';
import type { Actor } from '../shared/actor.js';
import type { NewEnquiries } from '../shared/contracts/overview.js';
import { Enquiry } from './enquiry.entity.js';

const SHOWN = 5;
const BEGINNING = 160;

/** Says what came in and waits for somebody, for the start page of the admin area. */
@Injectable()
export class NewEnquiriesService {
  constructor(
    private readonly em: EntityManager,
    private readonly roles: RolesService,
  ) {}

  /** Returns the newest enquiries that are neither answered nor closed, and how many there are. */
  async summarize(actor: Actor): Promise<NewEnquiries> {
    await this.roles.requireAdmin(actor);
    const em = this.em.fork({ disableTransactions: true });
    const orderBy = { createdAt: 'desc', id: 'desc' } as const;
    const [rows, count] = await em.findAndCount(
      Enquiry,
      { closedAt: null, answeredAt: null },
      { orderBy, limit: SHOWN },
    );
    const items = rows.map(({ id, name, message, delivery, createdAt }) => ({
      id,
      name,
      beginning: beginningOf(message),
      is_undelivered: delivery === 'failing',
      created_at: createdAt.toISOString(),
    }));
    return { count, items };
  }
}

/** One line, cut between two words where there is a place for it. */
function beginningOf(message: string): string {
  const line = message
    .slice(0, BEGINNING * 2)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= BEGINNING) return line;
  return `${line.slice(0, BEGINNING).replace(/\s\S{0,30}$|[\uD800-\uDBFF]$/, '')}…`;
}
