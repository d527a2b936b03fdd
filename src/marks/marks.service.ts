import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { SiteMark } from './site-mark.entity.js';

/** Names of what happened last: a backup was made (written by `src/backup`, without the application), a mail was taken. */
export type MarkName = 'backup.made' | 'mail.delivered';

/** Names of what lasts: the mark is there meanwhile. */
export type LastingMarkName = `alarm.${string}`;

/** Remembers moments by name. Rooms that see something happen write it, and the start page reads it. */
@Injectable()
export class MarksService {
  constructor(private readonly em: EntityManager) {}

  /** Remembers the moment as the last one of this name; an earlier one than is known changes nothing. */
  async note(name: MarkName, at: Date): Promise<void> {
    await this.em.fork({ disableTransactions: true }).execute(
      `insert into site_marks (name, at) values (?, ?)
       on conflict (name) do update set at = excluded.at where site_marks.at < excluded.at`,
      [name, at.toISOString()],
    );
  }

  /**
   * Remembers that something has begun, in the transaction of `em`.
   * @returns false where that is known already; of several who say it at once, one hears true
   */
  async begin(em: EntityManager, name: LastingMarkName, at: Date): Promise<boolean> {
    const sql = 'insert into site_marks (name, at) values (?, ?) on conflict (name) do nothing returning name';
    return (await em.execute<object[]>(sql, [name, at.toISOString()])).length > 0;
  }

  /** Remembers that it is over, in the transaction of `em`. @returns false where nothing had begun, or another one said it */
  async end(em: EntityManager, name: LastingMarkName): Promise<boolean> {
    const rows = await em.execute<object[]>('delete from site_marks where name = ? returning name', [name]);
    return rows.length > 0;
  }

  /** Returns the last moment of this name; null where it never happened. */
  async find(name: MarkName): Promise<Date | null> {
    const mark = await this.em.fork({ disableTransactions: true }).findOne(SiteMark, { name });
    return mark?.at ?? null;
  }
}
