import type pg from 'pg';
import { PRODUCT_SCHEMAS } from '../../src/backup/database-catalog.js';

/** The properties of a column on which code relies when it reads it, or writes rows without it. */
interface Column {
  readonly type: string;
  readonly isRequired: boolean;
  readonly hasDefault: boolean;
}

/** A schema as code sees it that reads and writes it. */
export interface SchemaPromises {
  readonly columns: ReadonlyMap<string, Column>;
  /** Definitions of what may refuse a row, by table and definition. */
  readonly rules: ReadonlySet<string>;
}

/** Reads what a database promises to the code that uses it. */
export async function readPromises(client: pg.ClientBase): Promise<SchemaPromises> {
  const schemas = [[...PRODUCT_SCHEMAS]];
  const { rows: columns } = await client.query<Column & { key: string }>(
    `select format('%I.%I.%I', n.nspname, c.relname, a.attname) as key,
       format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "isRequired",
       a.atthasdef or a.attidentity <> '' as "hasDefault"
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`,
    schemas,
  );
  const { rows: rules } = await client.query<{ rule: string }>(
    `select format('%s: %s', k.conrelid::regclass, pg_get_constraintdef(k.oid)) as rule
     from pg_constraint k join pg_namespace n on n.oid = k.connamespace
     where n.nspname = any($1) and k.contype in ('c', 'f', 'p', 'u', 'x') and k.conrelid <> 0
     union
     select format('%s: unique %s', i.indrelid::regclass, regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', ''))
     from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and i.indisunique
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
     union
     select format('%s: %s', t.tgrelid::regclass, pg_get_triggerdef(t.oid))
     from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and not t.tgisinternal`,
    schemas,
  );
  return {
    columns: new Map(columns.map(({ key, ...column }) => [key, column])),
    rules: new Set(rules.map(({ rule }) => rule)),
  };
}

const tableOf = (key: string) => key.split('.').slice(0, 2).join('.');
const textLimit = (type: string) =>
  type === 'text' ? Infinity : Number(/^character varying\((\d+)\)$/.exec(type)?.[1]);

/** Returns true when values that are read and written as the one type can be read and written as the other. */
function isWidened(from: string, to: string): boolean {
  return from === to || textLimit(to) >= textLimit(from);
}

/** Returns true for a foreign key of a new column, which older code never writes, that stops nobody who deletes. */
function isYieldingKey(rule: string, older: SchemaPromises): boolean {
  const [, table = '', column] = /^(\S+): FOREIGN KEY \((\w+)\) .*ON DELETE (?:SET NULL|CASCADE)$/.exec(rule) ?? [];
  return column !== undefined && ![table, `public.${table}`].some((name) => older.columns.has(`${name}.${column}`));
}

/**
 * Finds what a newer schema takes from code that was written for an older one.
 * @returns one sentence each; none when the older code can run on the newer schema
 */
export function findBrokenPromises(older: SchemaPromises, newer: SchemaPromises): string[] {
  const tables = new Set([...older.columns.keys()].map(tableOf));
  const broken: string[] = [];
  for (const [key, column] of older.columns) {
    const now = newer.columns.get(key);
    if (!now) broken.push(`${key} is gone`);
    else if (!isWidened(column.type, now.type)) broken.push(`${key} was ${column.type} and is ${now.type}`);
    else if (now.isRequired && !column.isRequired) broken.push(`${key} may not be null any more`);
    else if (!now.isRequired && column.isRequired) broken.push(`${key} may be null, which the older code cannot read`);
    else if (column.hasDefault && !now.hasDefault) broken.push(`${key} has lost its default`);
  }
  for (const [key, { isRequired, hasDefault }] of newer.columns) {
    if (older.columns.has(key) || !tables.has(tableOf(key))) continue;
    if (isRequired && !hasDefault) broken.push(`${key} is new and required, and the older code does not write it`);
  }
  for (const rule of newer.rules) {
    const [table = ''] = rule.split(': ');
    const isOld = tables.has(table) || tables.has(`public.${table}`);
    if (isOld && !older.rules.has(rule) && !isYieldingKey(rule, older))
      broken.push(`the older code may break the new rule on ${rule}`);
  }
  for (const rule of older.rules) {
    // Code writes `on conflict` for them.
    if (/: (?:unique|PRIMARY|UNIQUE)/.test(rule) && !newer.rules.has(rule)) broken.push(`there is no more ${rule}`);
  }
  return broken;
}
