import { Migration } from '@mikro-orm/migrations';

export class Migration20261122145547 extends Migration {
  override name = 'Migration20261122145547';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "auth"."signing_key_uses" ("kid" text not null, "sessions_until" timestamptz null, "programs_until" timestamptz null, primary key ("kid"));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "auth"."signing_key_uses" cascade;`);
  }
}
