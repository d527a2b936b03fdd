import { defineEntity, p } from '@mikro-orm/core';

/**
 * A drawn share image of a post or a page, one for each stamp that servers have, as two releases or names of the company
 * can be at work at once. All of them can be drawn again, so the migration makes the table unlogged: no backup has it.
 */
export const ShareImage = defineEntity({
  name: 'ShareImage',
  tableName: 'share_images',
  properties: {
    /** Id of a post, or name of a page. No key to the posts: rows of posts that are gone are not served, and removed. */
    subject: p.string().length(60).primary(),
    /** Names what all drawn share images of a server have in common. */
    stamp: p.string().length(16).primary(),
    /** Names what this one shows, in its address. */
    digest: p.string().length(16),
    png: p.blob(),
    drawnAt: p.datetime(),
    /** When a server of this stamp last said that it is in use, about once a day. */
    wantedAt: p.datetime(),
  },
});
