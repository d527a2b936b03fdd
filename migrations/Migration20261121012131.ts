import { Migration } from '@mikro-orm/migrations';

export class Migration20261121012131 extends Migration {
  override name = 'Migration20261121012131';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "auth";`);
    this.addSql(
      `create table "auth"."rate_limits" ("key" varchar(200) not null, "tokens" double precision not null, "updated_at" timestamptz not null, primary key ("key"));`,
    );
    this.addSql(`create index "rate_limits_updated_at_index" on "auth"."rate_limits" ("updated_at");`);
    // Buckets may be lost in a crash, and their changes need not wait for the disk.
    this.addSql(`alter table "auth"."rate_limits" set unlogged;`);

    this.addSql(
      `create table "auth"."users" ("id" uuid not null default gen_random_uuid(), "aud" varchar(255) not null, "role" varchar(255) not null, "email" varchar(255) null, "phone" varchar(15) null, "password_hash" text null, "email_confirmed_at" timestamptz null, "phone_confirmed_at" timestamptz null, "invited_at" timestamptz null, "confirmation_sent_at" timestamptz null, "recovery_sent_at" timestamptz null, "new_email" varchar(255) null, "email_change_sent_at" timestamptz null, "email_change_confirmations" smallint not null default 0, "new_phone" varchar(15) null, "phone_change_sent_at" timestamptz null, "reauthentication_sent_at" timestamptz null, "last_sign_in_at" timestamptz null, "app_metadata" jsonb not null default '{}', "user_metadata" jsonb not null default '{}', "is_anonymous" boolean not null default false, "is_sso_user" boolean not null default false, "banned_until" timestamptz null, "deleted_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(`alter table "auth"."users" add constraint "users_phone_unique" unique ("phone");`);
    this.addSql(`create index "users_created_at_index" on "auth"."users" ("created_at");`);
    this.addSql(`create unique index "users_email_unique" on "auth"."users" ("email") where is_sso_user = false;`);

    this.addSql(
      `create table "auth"."sessions" ("id" uuid not null default gen_random_uuid(), "user_id" uuid not null, "aal" varchar(4) not null default 'aal1', "factor_id" uuid null, "amr" jsonb not null default '[]', "not_after" timestamptz null, "refreshed_at" timestamptz null, "user_agent" text null, "ip" varchar(64) null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "sessions_user_id_index" on "auth"."sessions" ("user_id");`);

    this.addSql(
      `create table "auth"."refresh_tokens" ("id" uuid not null, "session_id" uuid not null, "token_hash" varchar(64) not null, "parent_id" uuid null, "is_revoked" boolean not null default false, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "refresh_tokens_session_id_index" on "auth"."refresh_tokens" ("session_id");`);
    this.addSql(
      `alter table "auth"."refresh_tokens" add constraint "refresh_tokens_token_hash_unique" unique ("token_hash");`,
    );

    this.addSql(
      `create table "auth"."one_time_tokens" ("id" uuid not null default gen_random_uuid(), "user_id" uuid not null, "type" varchar(32) not null, "token_hash" varchar(64) not null, "is_pkce" boolean not null default false, "expires_at" timestamptz not null, primary key ("id"));`,
    );
    this.addSql(`create index "one_time_tokens_token_hash_index" on "auth"."one_time_tokens" ("token_hash");`);
    this.addSql(
      `alter table "auth"."one_time_tokens" add constraint "one_time_tokens_user_id_type_unique" unique ("user_id", "type");`,
    );

    this.addSql(
      `create table "auth"."identities" ("id" uuid not null default gen_random_uuid(), "user_id" uuid not null, "provider" varchar(100) not null, "provider_id" text not null, "identity_data" jsonb not null default '{}', "email" varchar(255) null, "last_sign_in_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "identities_user_id_index" on "auth"."identities" ("user_id");`);
    this.addSql(
      `alter table "auth"."identities" add constraint "identities_provider_provider_id_unique" unique ("provider", "provider_id");`,
    );

    this.addSql(
      `create table "auth"."flow_states" ("id" uuid not null default gen_random_uuid(), "user_id" uuid not null, "authentication_method" varchar(32) not null, "code_challenge" varchar(128) not null, "code_challenge_method" varchar(8) not null, "auth_code_hash" varchar(64) null, "auth_code_issued_at" timestamptz null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(
      `alter table "auth"."flow_states" add constraint "flow_states_auth_code_hash_unique" unique ("auth_code_hash");`,
    );
    this.addSql(
      `create index "flow_states_user_id_authentication_method_created_at_index" on "auth"."flow_states" ("user_id", "authentication_method", "created_at");`,
    );
    this.addSql(`create index "flow_states_created_at_index" on "auth"."flow_states" ("created_at");`);

    this.addSql(
      `create table "user_roles" ("user_id" uuid not null, "role" varchar(50) not null, "created_at" timestamptz not null default now(), primary key ("user_id", "role"));`,
    );

    this.addSql(
      `alter table "auth"."sessions" add constraint "sessions_user_id_foreign" foreign key ("user_id") references "auth"."users" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "auth"."refresh_tokens" add constraint "refresh_tokens_session_id_foreign" foreign key ("session_id") references "auth"."sessions" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "auth"."one_time_tokens" add constraint "one_time_tokens_user_id_foreign" foreign key ("user_id") references "auth"."users" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "auth"."identities" add constraint "identities_user_id_foreign" foreign key ("user_id") references "auth"."users" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "auth"."flow_states" add constraint "flow_states_user_id_foreign" foreign key ("user_id") references "auth"."users" ("id") on delete cascade;`,
    );

    this.addSql(
      `alter table "user_roles" add constraint "user_roles_user_id_foreign" foreign key ("user_id") references "auth"."users" ("id") on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "auth"."sessions" drop constraint "sessions_user_id_foreign";`);
    this.addSql(`alter table "auth"."one_time_tokens" drop constraint "one_time_tokens_user_id_foreign";`);
    this.addSql(`alter table "auth"."identities" drop constraint "identities_user_id_foreign";`);
    this.addSql(`alter table "auth"."flow_states" drop constraint "flow_states_user_id_foreign";`);
    this.addSql(`alter table "user_roles" drop constraint "user_roles_user_id_foreign";`);
    this.addSql(`alter table "auth"."refresh_tokens" drop constraint "refresh_tokens_session_id_foreign";`);

    this.addSql(`drop table if exists "auth"."rate_limits" cascade;`);
    this.addSql(`drop table if exists "auth"."users" cascade;`);
    this.addSql(`drop table if exists "auth"."sessions" cascade;`);
    this.addSql(`drop table if exists "auth"."refresh_tokens" cascade;`);
    this.addSql(`drop table if exists "auth"."one_time_tokens" cascade;`);
    this.addSql(`drop table if exists "auth"."identities" cascade;`);
    this.addSql(`drop table if exists "auth"."flow_states" cascade;`);
    this.addSql(`drop table if exists "user_roles" cascade;`);

    this.addSql(`drop schema if exists "auth";`);
  }
}
