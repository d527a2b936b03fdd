import { Migration } from '@mikro-orm/migrations';

export class Migration20261123030250 extends Migration {
  override name = 'Migration20261123030250';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "search_documents" ("post_id" uuid not null, "head" tsvector not null, "words" tsvector not null, "text" text not null, "title_keys" text[] not null, "published_date" timestamptz not null, "rules" smallint not null, "changed_at" timestamptz not null, primary key ("post_id"));`,
    );
    this.addSql(
      `create index "search_documents_head" on "search_documents" using gin ("head") with (fastupdate = off);`,
    );
    this.addSql(
      `create index "search_documents_words" on "search_documents" using gin ("words") with (fastupdate = off);`,
    );
    this.addSql(
      `create index "search_documents_title_keys" on "search_documents" using gin ("title_keys") with (fastupdate = off);`,
    );

    // The planner takes the index then, whatever the word: it does not know what it costs to read the words of a post.
    this.addSql(
      `alter table "search_documents" alter column "words" set statistics 0, alter column "head" set statistics 0;`,
    );

    this.addSql(
      `alter table "search_documents" add constraint "search_documents_post_id_foreign" foreign key ("post_id") references "blog_posts" ("id") on update cascade on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "search_documents" cascade;`);
  }
}
