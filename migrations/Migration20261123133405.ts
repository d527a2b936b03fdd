import { Migration } from '@mikro-orm/migrations';

export class Migration20261123133405 extends Migration {
  override name = 'Migration20261123133405';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "search_pings" ("path" text not null, "at" timestamptz(6) not null, primary key ("path"));`,
    );
    // Search engines find in the sitemap what a crash or a restore loses: no backup needs it.
    this.addSql(`alter table "search_pings" set unlogged;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "search_pings" cascade;`);
  }
}
