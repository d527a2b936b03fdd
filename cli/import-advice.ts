/** Kinds of notes that somebody can do something about, and what. */
const ADVICE: readonly (readonly [note: RegExp, advice: string])[] = [
  [
    /^the tag .* was left in the text/,
    'readers see it as it is written: a file for --shortcodes says what it becomes (docs/import-shortcodes.md), with the next import',
  ],
  [/: it is a draft here$/, 'publish those that everybody may read at /admin/blogs; --publish-drafts publishes all'],
  [
    /^the image .*: was not (?:found|fetched)/,
    'put its file into a folder that --assets names, or let it be fetched, and import again',
  ],
  [
    /^the (?:audio|video) .* became a link/,
    'put its file beside the export, or into a folder that --assets names, and import again',
  ],
  [
    / (?:is|are) not in the file(?:$|:)/,
    'export all content there, and import all files of the export from one folder',
  ],
  [/^leads to files of the old site/, 'keep these files at their addresses, or change the links'],
  [
    /^leads to pages of the old site/,
    'redirects import takes a list of where they lead; --pages takes the pages of WordPress and Ghost',
  ],
  [/^removed: .*<iframe>/, 'the post may need a link to what stood there in a frame'],
];

/** Returns what somebody who moves in can do about a note; null where there is nothing to do. */
export function adviceOn(note: string): string | null {
  return ADVICE.find(([pattern]) => pattern.test(note))?.[1] ?? null;
}
