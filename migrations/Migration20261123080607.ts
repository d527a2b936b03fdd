import { Migration } from '@mikro-orm/migrations';

export class Migration20261123080607 extends Migration {
  override name = 'Migration20261123080607';

  override up(): void | Promise<void> {
    this.addSql(`alter table "blog_posts" add "live_since" timestamptz null;`);
    // Every publication since the first one is in the log.
    this.addSql(
      `update "blog_posts" set "live_since" = greatest("first_published_at", (select max("at") from "audit_log" where "subject_type" = 'post' and "subject_id" = "blog_posts"."id"::text and "action" = 'post.published')) where "is_published";`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "blog_posts" drop column "live_since";`);
  }
}
