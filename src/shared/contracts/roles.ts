/** Roles of people who enter the admin area: an administrator may do everything there, an author writes posts. */
export const ROLES = ['admin', 'author'] as const;

/** See {@link ROLES}. */
export type Role = (typeof ROLES)[number];
