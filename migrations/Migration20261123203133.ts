import { Migration } from '@mikro-orm/migrations';

export class Migration20261123203133 extends Migration {
  override name = 'Migration20261123203133';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "site_setup" ("id" smallint primary key, "tokens" jsonb not null default '[]', "session_hash" varchar(64) null, "session_expires_at" timestamptz null, "user_id" uuid null, "mail_test" jsonb null, "begun_at" timestamptz null, "finished_at" timestamptz null);`,
    );
    this.addSql(
      `alter table "site_setup" add constraint "site_setup_user_id_foreign" foreign key ("user_id") references "auth"."users" ("id") on delete set null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "site_setup" cascade;`);
  }
}
