/** Names the author of the last post that this person saved here. */
const toKey = (userId: string) => `post-author:${userId}`;

/** Returns the author of the last post that this person saved on this device; empty without one. */
export function recallAuthor(userId: string): string {
  try {
    return window.localStorage.getItem(toKey(userId)) ?? '';
  } catch {
    // Storage is forbidden.
    return '';
  }
}

/** Remembers an author for the next new post. */
export function rememberAuthor(userId: string, author: string): void {
  try {
    window.localStorage.setItem(toKey(userId), author.trim());
  } catch {
    // Full, or forbidden: the name is typed once more.
  }
}
