import { Migration } from '@mikro-orm/migrations';

export class Migration20261124105222 extends Migration {
  override name = 'Migration20261124105222';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "comment_changes" ("id" serial primary key, "run_id" int not null, "post_id" uuid not null, "source_id" varchar(50) not null, "before" jsonb null);`,
    );
    this.addSql(`create index "comment_changes_run" on "comment_changes" ("run_id");`);
    this.addSql(
      `alter table "comment_changes" add constraint "comment_changes_unique" unique ("post_id", "source_id", "run_id");`,
    );
    this.addSql(
      `insert into "comment_changes" ("run_id", "post_id", "source_id")
       select "run_id", "post_id", "source_id" from "post_comments" where "run_id" is not null and "removed_at" is null;`,
    );
    this.addSql(`drop index "post_comments_run";`);
    this.addSql(`alter table "post_comments" drop column "run_id";`);

    this.addSql(
      `alter table "comment_changes" add constraint "comment_changes_post_id_foreign" foreign key ("post_id") references "blog_posts" ("id") on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "comment_changes" cascade;`);

    this.addSql(`alter table "post_comments" add "run_id" int null;`);
    this.addSql(`create index "post_comments_run" on "post_comments" ("run_id") where run_id is not null;`);
  }
}
