import { Migration } from '@mikro-orm/migrations';

export class Migration20261122153228 extends Migration {
  override name = 'Migration20261122153228';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "post_preview_links" ("id" uuid not null default gen_random_uuid(), "post_id" uuid not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "withdrawn_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql(`create index "post_preview_links_expires_at_index" on "post_preview_links" ("expires_at");`);
    this.addSql(
      `alter table "post_preview_links" add constraint "post_preview_links_post_id_expires_at_unique" unique ("post_id", "expires_at");`,
    );

    this.addSql(
      `alter table "post_preview_links" add constraint "post_preview_links_post_id_foreign" foreign key ("post_id") references "blog_posts" ("id") on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "post_preview_links" cascade;`);
  }
}
