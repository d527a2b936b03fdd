import { Migration } from '@mikro-orm/migrations';

export class Migration20261123075709 extends Migration {
  override name = 'Migration20261123075709';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "post_links" ("post_id" uuid not null, "version" int not null, "rules" smallint not null, "links" jsonb not null, "dead" int not null, "checked_at" timestamptz not null, primary key ("post_id"));`,
    );
    // All of it can be found again: nothing is lost with it, and no backup needs it.
    this.addSql(`alter table "post_links" set unlogged;`);

    this.addSql(
      `alter table "post_links" add constraint "post_links_post_id_foreign" foreign key ("post_id") references "blog_posts" ("id") on update cascade on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "post_links" cascade;`);
  }
}
