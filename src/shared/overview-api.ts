/** The API of the start page of the admin area. Apart from `paths.ts`, whose letters public pages load. */
export const OVERVIEW_API = '/api/admin/overview';
