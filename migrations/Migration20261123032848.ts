import { Migration } from '@mikro-orm/migrations';

export class Migration20261123032848 extends Migration {
  override name = 'Migration20261123032848';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "share_images" ("subject" varchar(60) not null, "stamp" varchar(16) not null, "digest" varchar(16) not null, "png" bytea not null, "drawn_at" timestamptz not null, "wanted_at" timestamptz not null, primary key ("subject", "stamp"));`,
    );
    // All of it can be drawn again: nothing is lost with it, and no backup needs it. It is compressed already.
    this.addSql(`alter table "share_images" set unlogged, alter column "png" set storage external;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "share_images" cascade;`);
  }
}
