import { Migration } from '@mikro-orm/migrations';

export class Migration20261123211500 extends Migration {
  override name = 'Migration20261123211500';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "post_comments" ("post_id" uuid not null, "source_id" varchar(50) not null, "parent_id" varchar(50) null, "author" varchar(200) not null, "author_url" text null, "written_at" timestamptz not null, "html" text not null, "removed_at" timestamptz null, "run_id" int null, primary key ("post_id", "source_id"));`,
    );
    this.addSql(`create index "post_comments_run" on "post_comments" ("run_id") where run_id is not null;`);
    this.addSql(
      `alter table "post_comments" add constraint "post_comments_post_id_foreign" foreign key ("post_id") references "blog_posts" ("id") on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "post_comments" cascade;`);
  }
}
