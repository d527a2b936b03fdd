import type pg from 'pg';

/** The encoding in which texts can be stored whatever their letters, and in which PostgreSQL knows them as letters. */
const ENCODING = 'UTF8';

/** A setting with which a database cannot be used. */
export interface UnfitSetting {
  /** Without a period. */
  readonly problem: string;
  /** The way out, without a period. */
  readonly advice: string;
}

/**
 * Finds settings with which a database seems to work and does not. SQL_ASCII, which a machine without a locale gives every
 * database, takes each byte for a letter: it cuts letters in the middle, and search and jsonb fail on some. Dates in
 * another style than ISO are read wrongly or not at all.
 */
export async function findUnfitSetting(client: pg.ClientBase): Promise<UnfitSetting | null> {
  const { rows } = await client.query<{ encoding: string; style: string; command: string }>(
    `select current_setting('server_encoding') as encoding, current_setting('DateStyle') as style,
       format('ALTER DATABASE %I SET DateStyle TO ISO', current_database()) as command`,
  );
  const { encoding = '', style = '', command = '' } = rows[0] ?? {};
  if (encoding !== ENCODING)
    return {
      problem: `The database has the encoding ${encoding}, and texts need ${ENCODING}`,
      advice: `make it anew with createdb --template=template0 --encoding=${ENCODING} --locale=C.UTF-8`,
    };
  if (style.startsWith('ISO')) return null;
  return {
    problem: `The database writes dates in the style ${style}, which is misread; they have to be ISO`,
    advice: `run ${command}, and start every process again`,
  };
}

/** Refuses a database before anything is in it. One that is in use goes on; doctor says so. */
export async function assertFit(client: pg.ClientBase): Promise<void> {
  const unfit = await findUnfitSetting(client);
  if (unfit !== null) throw new Error(`${unfit.problem}: ${unfit.advice}.`);
}

/** The end of `create database`, for one that holds our texts whatever the server gives others. */
export async function encodingClause(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ clause: string }>(
    // A locale is of one encoding; C goes with all.
    `select format('encoding ''${ENCODING}'' lc_collate %L lc_ctype %L',
         case when is_utf8 then datcollate else 'C' end, case when is_utf8 then datctype else 'C' end) as clause
       from (select *, pg_encoding_to_char(encoding) = '${ENCODING}' as is_utf8 from pg_database) as databases
       where datname = current_database()`,
  );
  return rows[0]?.clause ?? '';
}
