import { Migration } from '@mikro-orm/migrations';

export class Migration20261123080242 extends Migration {
  override name = 'Migration20261123080242';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "post_terms" ("post_id" uuid not null, "kind" varchar(10) not null, "slug" text not null, "name" text not null, "published_date" timestamptz not null, primary key ("post_id", "kind", "slug"));`,
    );
    this.addSql(`create index "post_terms_newest" on "post_terms" (kind, slug, published_date desc, post_id);`);

    this.addSql(
      `alter table "post_terms" add constraint "post_terms_post_id_foreign" foreign key ("post_id") references "blog_posts" ("id") on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "post_terms" cascade;`);
  }
}
