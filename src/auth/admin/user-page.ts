import { invalid } from '../auth.error.js';

const PER_PAGE = 50;
/** A larger answer would slow down all others. */
const MOST_PER_PAGE = 1000;
const MOST_PAGES = 1_000_000_000;

/** The part of the list of users that is asked for. */
export interface UserPageRequest {
  /** From 1 on. */
  readonly page: number;
  readonly perPage: number;
  readonly direction: 'asc' | 'desc';
  /** Part of an address or of a name; empty for everybody. */
  readonly filter: string;
}

/** The members of the query of `GET /admin/users`; clients send empty ones. */
export type UserPageQuery = Readonly<Partial<Record<'page' | 'per_page' | 'sort' | 'filter', string>>>;

/** Reads which users are asked for. @throws AuthError 400 validation_failed */
export function readUserPage(query: UserPageQuery): UserPageRequest {
  return {
    page: readNumber('page', query.page, 1, MOST_PAGES),
    perPage: readNumber('per_page', query.per_page, PER_PAGE, MOST_PER_PAGE),
    direction: readDirection(query.sort),
    filter: query.filter ?? '',
  };
}

function readNumber(name: string, text: string | undefined, fallback: number, most: number): number {
  if (!text) return fallback;
  const number = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= most) return number;
  throw invalid(`Bad Pagination Parameters: ${name} is a whole number from 1 to ${most}`);
}

function readDirection(sort: string | undefined): 'asc' | 'desc' {
  if (!sort) return 'desc';
  const [field = '', direction = 'desc', ...rest] = sort.split(' ');
  if (field !== 'created_at') throw invalid(`Bad Sort Parameters: bad field for sort '${field}'`);
  const word = direction.toLowerCase();
  if ((word === 'asc' || word === 'desc') && rest.length === 0) return word;
  throw invalid(`Bad Sort Parameters: bad direction for sort '${direction}', only 'asc' and 'desc' allowed`);
}

/**
 * The header Link (RFC 8288) of a page. `page` is the first parameter, as clients read the digit behind the first
 * equals sign; they separate links at commas, of which an encoded query has none.
 */
export function linkHeader({ page, perPage }: UserPageRequest, total: number, query: UserPageQuery): string {
  const lastPage = Math.ceil(total / perPage);
  const linkTo = (target: number, relation: string) => {
    const parameters = new URLSearchParams({ page: String(target), per_page: String(perPage) });
    for (const name of ['sort', 'filter'] as const) if (query[name]) parameters.set(name, query[name]);
    return `</admin/users?${parameters.toString()}>; rel="${relation}"`;
  };
  return [...(page < lastPage ? [linkTo(page + 1, 'next')] : []), linkTo(lastPage, 'last')].join(', ');
}
