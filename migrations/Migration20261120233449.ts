import { Migration } from '@mikro-orm/migrations';

export class Migration20261120233449 extends Migration {
  override name = 'Migration20261120233449';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "images" ("id" varchar(32) not null, "name" varchar(100) not null, "source_hash" varchar(64) not null, "byte_size" int not null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(`alter table "images" add constraint "images_name_unique" unique ("name");`);
    this.addSql(`alter table "images" add constraint "images_source_hash_unique" unique ("source_hash");`);

    this.addSql(
      `create table "blog_posts" ("id" uuid not null default gen_random_uuid(), "slug" varchar(200) not null, "title" varchar(200) not null, "excerpt" varchar(500) null, "content" text not null, "image_url" text null, "category" varchar(50) null, "tags" text[] null, "author" varchar(100) not null, "published_date" timestamptz not null, "is_published" boolean not null default false, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "version" int not null default 1, "source_key" text null, "source_fingerprint" varchar(64) null, primary key ("id"));`,
    );
    this.addSql(`alter table "blog_posts" add constraint "blog_posts_slug_unique" unique ("slug");`);
    this.addSql(`alter table "blog_posts" add constraint "blog_posts_source_key_unique" unique ("source_key");`);
    this.addSql(
      `create index "blog_posts_is_published_published_date_index" on "blog_posts" ("is_published", "published_date");`,
    );
    this.addSql(`create index "blog_posts_created_at_index" on "blog_posts" ("created_at");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "images" cascade;`);
    this.addSql(`drop table if exists "blog_posts" cascade;`);
  }
}
