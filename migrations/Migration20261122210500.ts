import { Migration } from '@mikro-orm/migrations';

export class Migration20261122210500 extends Migration {
  override name = 'Migration20261122210500';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "auth"."mfa_recovery_codes" ("id" uuid not null, "factor_id" uuid not null, "code_hash" text not null, "used_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql(`create index "mfa_recovery_codes_factor_id_index" on "auth"."mfa_recovery_codes" ("factor_id");`);

    this.addSql(
      `alter table "auth"."mfa_recovery_codes" add constraint "mfa_recovery_codes_factor_id_foreign" foreign key ("factor_id") references "auth"."mfa_factors" ("id") on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "auth"."mfa_recovery_codes" cascade;`);
  }
}
