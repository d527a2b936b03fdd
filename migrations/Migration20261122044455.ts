import { Migration } from '@mikro-orm/migrations';

export class Migration20261122044455 extends Migration {
  override name = 'Migration20261122044455';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "auth"."attempts" ("subject" varchar(64) not null, "purpose" varchar(32) not null, "source" varchar(100) not null, "failures" timestamptz[] not null default '{}', "pending" smallint not null default 0, "touched_at" timestamptz not null, primary key ("subject", "purpose", "source"));`,
    );
    this.addSql(`create index "attempts_touched_at_index" on "auth"."attempts" ("touched_at");`);
    // Counts may be lost in a crash, and their changes need not wait for the disk.
    this.addSql(`alter table "auth"."attempts" set unlogged;`);

    this.addSql(`alter table "auth"."rate_limits" add "full_at" timestamptz null;`);
    this.addSql(`create index "rate_limits_full_at_index" on "auth"."rate_limits" ("full_at");`);

    this.addSql(`alter table "auth"."one_time_tokens" add "wrong_codes" smallint not null default 0;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "auth"."attempts" cascade;`);

    this.addSql(`alter table "auth"."one_time_tokens" drop column "wrong_codes";`);

    this.addSql(`drop index "auth"."rate_limits_full_at_index";`);
    this.addSql(`alter table "auth"."rate_limits" drop column "full_at";`);
  }
}
