import { Migration } from '@mikro-orm/migrations';

export class Migration20261123210500 extends Migration {
  override name = 'Migration20261123210500';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "webhook_deliveries" ("id" uuid not null, "type" varchar(40) not null, "text" text not null, "body" text not null, "enquiry_id" uuid null, "state" text not null, "attempts" int not null default 0, "last_status" int null, "last_error" text null, "created_at" timestamptz not null, "last_tried_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_state_check" check ("state" in ('waiting', 'delivered', 'failed'));`,
    );
    this.addSql(`create index "webhook_deliveries_created_at_id_index" on "webhook_deliveries" ("created_at", "id");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "webhook_deliveries" cascade;`);
  }
}
