import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { CLOCK_TOLERANCE_MS } from '../shared/clock.js';
import { SiteMark } from './site-mark.entity.js';

/** Names of what happened last: a backup was made (written by `src/backup`, without the application), a mail was taken. */
export type MarkName = 'backup.made' | 'mail.delivered';

/** Names of what lasts: the mark is there meanwhile. */
export type LastingMarkName = `alarm.${string}`;

/** Names of what one machine has found: `seen.<alarm>.<machine>`. */
export type SeenMarkName = `seen.${string}`;

const NAME_LENGTH = 80;

/** Remembers moments by name. Rooms that see something happen write it, and the start page reads it. */
@Injectable()
export class MarksService {
  constructor(private readonly em: EntityManager) {}

  /**
   * Remembers the moment as the last one of this name. An earlier one than is known changes nothing, unless a clock that
   * was wrong noted that one: it would stay the last until then.
   */
  async note(name: MarkName, at: Date): Promise<void> {
    await this.em.fork({ disableTransactions: true }).execute(
      `insert into site_marks (name, at) values (?, ?)
       on conflict (name) do update set at = excluded.at where site_marks.at < excluded.at or site_marks.at > ?`,
      [name, at.toISOString(), new Date(at.getTime() + CLOCK_TOLERANCE_MS).toISOString()],
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

  /** Keeps what one machine has found last, in the transaction of `em`; null where it finds nothing any more. */
  async keep(em: EntityManager, name: SeenMarkName, at: Date | null): Promise<void> {
    const key = name.slice(0, NAME_LENGTH);
    if (at === null) await em.execute('delete from site_marks where name = ?', [key]);
    else {
      const sql = 'insert into site_marks (name, at) values (?, ?) on conflict (name) do update set at = excluded.at';
      await em.execute(sql, [key, at.toISOString()]);
    }
  }

  /**
   * Counts what machines have found from `since` to `now`, by the beginning of its name. What is older is forgotten, and
   * what a clock that was wrong noted: it would count until then.
   */
  async countSince(em: EntityManager, prefix: SeenMarkName, since: Date, now: Date): Promise<number> {
    const isOne = 'starts_with(name, ?)';
    const latest = new Date(now.getTime() + CLOCK_TOLERANCE_MS);
    const times = [since.toISOString(), latest.toISOString()];
    await em.execute(`delete from site_marks where ${isOne} and (at < ? or at > ?)`, [prefix, ...times]);
    const rows = await em.execute<object[]>(`select name from site_marks where ${isOne}`, [prefix]);
    return rows.length;
  }

  /**
   * Ends the alarms with this beginning of their names that no machine has found lately, in the transaction of `em`, once
   * {@link countSince} has forgotten what is older. @returns the rest of their names
   */
  async endUnseen(em: EntityManager, prefix: string): Promise<string[]> {
    const rows = await em.execute<{ rest: string }[]>(
      `delete from site_marks a where starts_with(name, 'alarm.' || ?) and not exists (
         select from site_marks where name = 'seen.' || substr(a.name, length('alarm.') + 1))
       returning substr(name, length('alarm.' || ?) + 1) as rest`,
      [prefix, prefix],
    );
    return rows.map(({ rest }) => rest);
  }

  /** Returns the last moment of this name; null where it never happened. */
  async find(name: MarkName): Promise<Date | null> {
    const mark = await this.em.fork({ disableTransactions: true }).findOne(SiteMark, { name });
    return mark?.at ?? null;
  }
}
