/**
 * A slug from a title (product.md 5.4): lower case, each run of characters other than letters and digits
 * becomes one hyphen, no hyphen at either end. Letters and digits are those of ASCII; accents are folded first, so
 * that "Café" gives "cafe" and not "caf".
 */
export function slugify(title: string): string {
  return title
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}
