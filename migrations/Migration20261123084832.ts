import { Migration } from '@mikro-orm/migrations';

export class Migration20261123084832 extends Migration {
  override name = 'Migration20261123084832';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "related_posts" ("post_id" uuid not null, "other_id" uuid not null, "score" real not null, primary key ("post_id", "other_id"));`,
    );
    this.addSql(`create index "related_posts_other" on "related_posts" ("other_id", "score");`);

    this.addSql(
      `alter table "related_posts" add constraint "related_posts_post_id_foreign" foreign key ("post_id") references "blog_posts" ("id") on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "related_posts" cascade;`);
  }
}
