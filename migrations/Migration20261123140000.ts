import { Migration } from '@mikro-orm/migrations';

export class Migration20261123140000 extends Migration {
  override name = 'Migration20261123140000';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "site_marks" ("name" varchar(100) not null, "at" timestamptz not null, primary key ("name"));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "site_marks" cascade;`);
  }
}
