import { Migration } from '@mikro-orm/migrations';

export class Migration20261122172754 extends Migration {
  override name = 'Migration20261122172754';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "auth"."mfa_factors" ("id" uuid not null, "user_id" uuid not null, "friendly_name" text not null default '', "factor_type" varchar(16) not null, "status" varchar(16) not null default 'unverified', "sealed_secret" text null, "last_used_step" int null, "last_challenged_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(
      `alter table "auth"."mfa_factors" add constraint "mfa_factors_user_id_friendly_name_unique" unique ("user_id", "friendly_name");`,
    );

    this.addSql(
      `create table "auth"."mfa_challenges" ("id" uuid not null, "factor_id" uuid not null, "ip" varchar(64) not null, "verified_at" timestamptz null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "mfa_challenges_factor_id_index" on "auth"."mfa_challenges" ("factor_id");`);

    this.addSql(
      `alter table "auth"."mfa_factors" add constraint "mfa_factors_user_id_foreign" foreign key ("user_id") references "auth"."users" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "auth"."mfa_challenges" add constraint "mfa_challenges_factor_id_foreign" foreign key ("factor_id") references "auth"."mfa_factors" ("id") on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "auth"."mfa_challenges" drop constraint "mfa_challenges_factor_id_foreign";`);

    this.addSql(`drop table if exists "auth"."mfa_factors" cascade;`);
    this.addSql(`drop table if exists "auth"."mfa_challenges" cascade;`);
  }
}
