import { Migration } from '@mikro-orm/migrations';

export class Migration20261123134528 extends Migration {
  override name = 'Migration20261123134528';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "import_runs" ("id" serial primary key, "started_at" timestamptz not null, "ended_at" timestamptz null, "path" text not null, "source_name" text null, "options" jsonb not null, "counts" jsonb null);`,
    );

    this.addSql(
      `create table "import_run_posts" ("run_id" int not null, "post_id" uuid not null, "is_created" boolean not null, "before" jsonb null, "version_before" int not null, "version_after" int not null, "redirects" jsonb not null, "undone_version" int null, primary key ("run_id", "post_id"));`,
    );
    this.addSql(`create index "import_run_posts_post_id_index" on "import_run_posts" ("post_id");`);

    this.addSql(
      `alter table "import_run_posts" add constraint "import_run_posts_run_id_foreign" foreign key ("run_id") references "import_runs" ("id") on update cascade on delete cascade;`,
    );
    this.addSql(
      `alter table "import_run_posts" add constraint "import_run_posts_post_id_foreign" foreign key ("post_id") references "blog_posts" ("id") on update cascade on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "import_run_posts" drop constraint "import_run_posts_run_id_foreign";`);

    this.addSql(`drop table if exists "import_runs" cascade;`);
    this.addSql(`drop table if exists "import_run_posts" cascade;`);
  }
}
