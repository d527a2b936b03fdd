/** Says that no post has a slug; of an address, and of blanks that nobody sees, what its slug would be. */
export function describeUnknownPost(slug: string): string {
  const meant = slug
    .trim()
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/^.*\//, '');
  const hint = meant !== '' && meant !== slug ? `: the slug in it would be ${meant}` : '';
  return `no post has the slug ${slug}${hint}`;
}
