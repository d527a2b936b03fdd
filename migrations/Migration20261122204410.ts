import { Migration } from '@mikro-orm/migrations';

export class Migration20261122204410 extends Migration {
  override name = 'Migration20261122204410';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "auth"."webauthn_challenges" ("id" uuid not null, "user_id" uuid null, "challenge" varchar(64) not null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "webauthn_challenges_user_id_index" on "auth"."webauthn_challenges" ("user_id");`);
    this.addSql(`create index "webauthn_challenges_created_at_index" on "auth"."webauthn_challenges" ("created_at");`);

    this.addSql(
      `create table "auth"."webauthn_credentials" ("id" uuid not null, "user_id" uuid not null, "factor_id" uuid null, "credential_id" varchar(1364) not null, "public_key" text not null, "sign_count" bigint not null default '0', "transports" text[] not null default '{}', "friendly_name" text not null default '', "last_used_at" timestamptz null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "webauthn_credentials_user_id_index" on "auth"."webauthn_credentials" ("user_id");`);
    this.addSql(
      `alter table "auth"."webauthn_credentials" add constraint "webauthn_credentials_factor_id_unique" unique ("factor_id");`,
    );
    this.addSql(
      `alter table "auth"."webauthn_credentials" add constraint "webauthn_credentials_credential_id_unique" unique ("credential_id");`,
    );

    this.addSql(`alter table "auth"."mfa_challenges" add "webauthn_challenge" varchar(64) null;`);

    this.addSql(
      `alter table "auth"."webauthn_challenges" add constraint "webauthn_challenges_user_id_foreign" foreign key ("user_id") references "auth"."users" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "auth"."webauthn_credentials" add constraint "webauthn_credentials_user_id_foreign" foreign key ("user_id") references "auth"."users" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "auth"."webauthn_credentials" add constraint "webauthn_credentials_factor_id_foreign" foreign key ("factor_id") references "auth"."mfa_factors" ("id") on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "auth"."webauthn_challenges" cascade;`);
    this.addSql(`drop table if exists "auth"."webauthn_credentials" cascade;`);

    this.addSql(`alter table "auth"."mfa_challenges" drop column "webauthn_challenge";`);
  }
}
