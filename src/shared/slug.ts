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

/** Returns true for a name of which a slug has some letters or digits only: those of Cyrillic, Chinese and so on are not in it. */
export function losesLetters(name: string): boolean {
  return /[^\x00-\x7f]/.test(name.normalize('NFKD').replace(/[^\p{L}\p{N}]+/gu, ''));
}
