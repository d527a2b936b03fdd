import { Migration } from '@mikro-orm/migrations';

export class Migration20261123084027 extends Migration {
  override name = 'Migration20261123084027';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "post_reads" ("day" date not null, "post_id" uuid not null, "host" varchar(100) not null, "count" int not null, primary key ("day", "post_id", "host"));`,
    );
    this.addSql(`create index "post_reads_post_id_index" on "post_reads" ("post_id");`);

    this.addSql(
      `alter table "post_reads" add constraint "post_reads_post_id_foreign" foreign key ("post_id") references "blog_posts" ("id") on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "post_reads" cascade;`);
  }
}
