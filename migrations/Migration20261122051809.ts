import { Migration } from '@mikro-orm/migrations';

export class Migration20261122051809 extends Migration {
  override name = 'Migration20261122051809';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "media_state" ("id" serial primary key, "checked_at" timestamptz not null, "images" int not null, "lacking" int not null);`,
    );

    this.addSql(`alter table "images" add "files" jsonb null, add "origin" text null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "media_state" cascade;`);

    this.addSql(`alter table "images" drop column "files", drop column "origin";`);
  }
}
