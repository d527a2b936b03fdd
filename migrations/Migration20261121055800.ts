import { Migration } from '@mikro-orm/migrations';

export class Migration20261121055800 extends Migration {
  override name = 'Migration20261121055800';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "redirects" ("path" text not null, "target" text not null, "origin" varchar(10) not null, "created_at" timestamptz not null default now(), primary key ("path"));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "redirects" cascade;`);
  }
}
