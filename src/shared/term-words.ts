import type { ListedKind } from './term-addresses.js';

/** The heading of a term's page and feed. */
export function headingOf(kind: ListedKind, name: string): string {
  if (kind === 'author') return `Posts by ${name}`;
  return kind === 'tag' ? `Posts tagged “${name}”` : `Posts in “${name}”`;
}

/** The description of a term's page and feed. */
export function describeTerm(kind: ListedKind, name: string, company: string): string {
  if (kind === 'author') return `What ${name} wrote on the blog of ${company}.`;
  return `Posts on the blog of ${company} ${kind === 'tag' ? 'with the tag' : 'in the category'} “${name}”.`;
}
