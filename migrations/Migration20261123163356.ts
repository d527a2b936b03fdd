import { Migration } from '@mikro-orm/migrations';

export class Migration20261123163356 extends Migration {
  override name = 'Migration20261123163356';

  override up(): void | Promise<void> {
    this.addSql(`alter table "blog_posts" add "owner_id" uuid null;`);
    this.addSql(
      `alter table "blog_posts" add constraint "blog_posts_owner_id_foreign" foreign key ("owner_id") references "auth"."users" ("id") on delete set null;`,
    );
    this.addSql(
      `create index "blog_posts_list_owner" on "blog_posts" ("owner_id", "created_at", "id") where owner_id is not null;`,
    );

    this.addSql(`alter table "user_roles" add "may_publish" boolean not null default false;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "blog_posts" drop constraint "blog_posts_owner_id_foreign";`);

    this.addSql(`drop index "blog_posts_list_owner";`);
    this.addSql(`alter table "blog_posts" drop column "owner_id";`);

    this.addSql(`alter table "user_roles" drop column "may_publish";`);
  }
}
