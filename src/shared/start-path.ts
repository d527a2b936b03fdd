/** The start page of the admin area. Apart from `paths.ts`, whose letters public pages load, and from its API, which its frame does not need. */
export const START_PATH = '/admin';
