import { Migration } from '@mikro-orm/migrations';

export class Migration20261122212109 extends Migration {
  override name = 'Migration20261122212109';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "auth"."provider_flows" ("id" uuid not null default gen_random_uuid(), "state_hash" varchar(64) not null, "browser_hash" varchar(64) null, "session_id" uuid null, "redirect_to" text not null, "device_cookie" varchar(512) null, "code_challenge" varchar(128) null, "code_challenge_method" varchar(8) null, "used_at" timestamptz null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(
      `alter table "auth"."provider_flows" add constraint "provider_flows_state_hash_unique" unique ("state_hash");`,
    );
    this.addSql(`create index "provider_flows_session_id_index" on "auth"."provider_flows" ("session_id");`);
    this.addSql(`create index "provider_flows_created_at_index" on "auth"."provider_flows" ("created_at");`);

    this.addSql(`alter table "auth"."flow_states" add "pending_identity" jsonb null;`);

    this.addSql(`alter table "user_roles" add "source" varchar(16) null;`);

    this.addSql(
      `alter table "auth"."provider_flows" add constraint "provider_flows_session_id_foreign" foreign key ("session_id") references "auth"."sessions" ("id") on delete cascade;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "auth"."provider_flows" cascade;`);

    this.addSql(`alter table "auth"."flow_states" drop column "pending_identity";`);

    this.addSql(`alter table "user_roles" drop column "source";`);
  }
}
