import { Migration } from '@mikro-orm/migrations';

export class Migration20261121025438 extends Migration {
  override name = 'Migration20261121025438';

  override up(): void | Promise<void> {
    // Search by parts of words. Comes with PostgreSQL; whoever may create in the database may create it.
    this.addSql(`create extension if not exists pg_trgm;`);

    this.addSql(
      `create table "audit_log" ("id" bigserial primary key, "at" timestamptz not null default now(), "actor_kind" varchar(10) not null, "actor_id" uuid null, "actor_email" varchar(255) null, "action" varchar(50) not null, "subject_type" varchar(20) not null, "subject_id" varchar(100) not null, "subject" text not null, "details" jsonb not null default '{}');`,
    );
    this.addSql(
      `create index "audit_log_subject_type_subject_id_id_index" on "audit_log" ("subject_type", "subject_id", "id");`,
    );
    this.addSql(`create index "audit_log_actor_email_id_index" on "audit_log" ("actor_email", "id");`);

    this.addSql(
      `create table "post_slugs" ("slug" varchar(200) not null, "post_id" uuid not null, "created_at" timestamptz not null default now(), primary key ("slug"));`,
    );
    this.addSql(`create index "post_slugs_post_id_index" on "post_slugs" ("post_id");`);

    this.addSql(
      `create table "post_revisions" ("id" bigserial primary key, "post_id" uuid not null, "version" int not null, "reason" varchar(20) not null, "title" text not null, "fields" jsonb not null, "is_published" boolean not null, "author_id" uuid null, "created_at" timestamptz not null, "begun_at" timestamptz null);`,
    );
    this.addSql(`create index "post_revisions_post_id_id_index" on "post_revisions" ("post_id", "id");`);

    this.addSql(`drop index "blog_posts_created_at_index";`);
    this.addSql(
      `alter table "blog_posts" add "image_alt" text null, add "is_date_chosen" boolean not null default false, add "first_published_at" timestamptz null, add "scheduled_at" timestamptz null, add "deleted_at" timestamptz null, add "deleted_by" uuid null, add "last_save_id" uuid null, add "saved_by" uuid null, add "working_copy" jsonb null, add "working_title" text null, add "kept_at" timestamptz null, add "kept_by" uuid null;`,
    );
    // The posts that are there came from imports, which chose their dates.
    this.addSql(
      `update "blog_posts" set "is_date_chosen" = true, "first_published_at" = case when "is_published" then "created_at" end;`,
    );
    this.addSql(
      `alter table "blog_posts" add constraint "blog_posts_deleted_by_foreign" foreign key ("deleted_by") references "auth"."users" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "blog_posts" add constraint "blog_posts_saved_by_foreign" foreign key ("saved_by") references "auth"."users" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "blog_posts" add constraint "blog_posts_kept_by_foreign" foreign key ("kept_by") references "auth"."users" ("id") on delete set null;`,
    );
    this.addSql(
      `create index "blog_posts_list_created" on "blog_posts" ("created_at", "id") where deleted_at is null;`,
    );
    this.addSql(
      `create index "blog_posts_list_updated" on "blog_posts" ("updated_at", "id") where deleted_at is null;`,
    );
    this.addSql(
      `create index "blog_posts_list_published" on "blog_posts" ("published_date", "id") where deleted_at is null;`,
    );
    this.addSql(
      `create index "blog_posts_list_category" on "blog_posts" ("category", "created_at", "id") where deleted_at is null;`,
    );
    this.addSql(
      `create index "blog_posts_list_unpublished" on "blog_posts" ("created_at", "id") where deleted_at is null and not is_published;`,
    );
    this.addSql(`create index "blog_posts_list_title" on "blog_posts" (lower(title), id) where deleted_at is null;`);
    this.addSql(`create index "blog_posts_trash" on "blog_posts" ("deleted_at", "id") where deleted_at is not null;`);
    this.addSql(`create index "blog_posts_due" on "blog_posts" ("scheduled_at") where scheduled_at is not null;`);
    this.addSql(`create index "blog_posts_tags" on "blog_posts" using gin ("tags");`);
    this.addSql(
      `create index "blog_posts_search" on "blog_posts" using gin ((title || ' ' || slug || ' ' || coalesce(excerpt, '') || ' ' || author || ' ' || coalesce(working_title, '')) gin_trgm_ops);`,
    );

    this.addSql(
      `alter table "post_slugs" add constraint "post_slugs_post_id_foreign" foreign key ("post_id") references "blog_posts" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "post_revisions" add constraint "post_revisions_post_id_foreign" foreign key ("post_id") references "blog_posts" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "post_revisions" add constraint "post_revisions_author_id_foreign" foreign key ("author_id") references "auth"."users" ("id") on delete set null;`,
    );

    // What is published now is known by its address.
    this.addSql(
      `insert into "post_slugs" ("slug", "post_id") select "slug", "id" from "blog_posts" where "is_published";`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "audit_log" cascade;`);
    this.addSql(`drop table if exists "post_slugs" cascade;`);
    this.addSql(`drop table if exists "post_revisions" cascade;`);

    this.addSql(`alter table "blog_posts" drop constraint "blog_posts_deleted_by_foreign";`);
    this.addSql(`alter table "blog_posts" drop constraint "blog_posts_saved_by_foreign";`);
    this.addSql(`alter table "blog_posts" drop constraint "blog_posts_kept_by_foreign";`);

    this.addSql(`drop index "blog_posts_list_created";`);
    this.addSql(`drop index "blog_posts_list_updated";`);
    this.addSql(`drop index "blog_posts_list_published";`);
    this.addSql(`drop index "blog_posts_list_category";`);
    this.addSql(`drop index "blog_posts_list_unpublished";`);
    this.addSql(`drop index "blog_posts_list_title";`);
    this.addSql(`drop index "blog_posts_trash";`);
    this.addSql(`drop index "blog_posts_due";`);
    this.addSql(`drop index "blog_posts_tags";`);
    this.addSql(`drop index "blog_posts_search";`);
    this.addSql(
      `alter table "blog_posts" drop column "image_alt", drop column "is_date_chosen", drop column "first_published_at", drop column "scheduled_at", drop column "deleted_at", drop column "deleted_by", drop column "last_save_id", drop column "saved_by", drop column "working_copy", drop column "working_title", drop column "kept_at", drop column "kept_by";`,
    );
    this.addSql(`create index "blog_posts_created_at_index" on "blog_posts" ("created_at");`);
  }
}
