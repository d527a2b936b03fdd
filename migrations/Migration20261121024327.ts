import { Migration } from '@mikro-orm/migrations';

export class Migration20261121024327 extends Migration {
  override name = 'Migration20261121024327';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "image_uses" ("image_id" varchar(32) not null, "post_id" uuid not null, "kind" varchar(20) not null, primary key ("image_id", "post_id", "kind"));`,
    );
    this.addSql(`create index "image_uses_post_id_index" on "image_uses" ("post_id");`);

    this.addSql(`alter table "images" add "unused_since" timestamptz null, add "removed_at" timestamptz null;`);
    this.addSql(`alter table "images" alter column "source_hash" drop not null;`);
    this.addSql(`create index "images_created_at_id_index" on "images" ("created_at", "id");`);

    this.addSql(
      `alter table "image_uses" add constraint "image_uses_image_id_foreign" foreign key ("image_id") references "images" ("id");`,
    );
    this.addSql(
      `alter table "image_uses" add constraint "image_uses_post_id_foreign" foreign key ("post_id") references "blog_posts" ("id") on delete cascade;`,
    );

    // What the posts that are there already show; the names of images are alike wherever they are handed out.
    this.addSql(
      `insert into "image_uses" ("image_id", "post_id", "kind") select distinct "images"."id", "blog_posts"."id", 'post' from "blog_posts" cross join lateral regexp_matches(concat_ws(' ', "image_url", "content"), '([0-9a-f]{32})-[0-9]+x[0-9]+', 'g') as "found" join "images" on "images"."id" = "found"[1];`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "image_uses" cascade;`);

    this.addSql(`drop index "images_created_at_id_index";`);
    this.addSql(`alter table "images" drop column "unused_since", drop column "removed_at";`);
    // Earlier versions know no images that were removed.
    this.addSql(`delete from "images" where "source_hash" is null;`);
    this.addSql(`alter table "images" alter column "source_hash" set not null;`);
  }
}
