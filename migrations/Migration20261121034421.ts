import { Migration } from '@mikro-orm/migrations';

export class Migration20261121034421 extends Migration {
  override name = 'Migration20261121034421';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "enquiries" ("id" uuid not null, "idempotency_key" varchar(64) not null, "name" varchar(200) not null, "email" varchar(254) not null, "message" text not null, "delivery" text not null, "message_id" varchar(400) not null, "attempts" int not null default 0, "last_error" text null, "created_at" timestamptz not null, "sent_at" timestamptz null, "redacted_at" timestamptz null, "handled_at" timestamptz null, "handled_by" uuid null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "enquiries" add constraint "enquiries_idempotency_key_unique" unique ("idempotency_key");`,
    );
    this.addSql(`create index "enquiries_handled_by_index" on "enquiries" ("handled_by");`);
    this.addSql(`create index "enquiries_created_at_id_index" on "enquiries" ("created_at", "id");`);
    this.addSql(`create index "enquiries_undelivered_index" on "enquiries" ("created_at") where delivery <> 'sent';`);
    this.addSql(`create index "enquiries_unredacted_index" on "enquiries" ("sent_at") where redacted_at is null;`);

    this.addSql(
      `alter table "enquiries" add constraint "enquiries_handled_by_foreign" foreign key ("handled_by") references "auth"."users" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "enquiries" add constraint "enquiries_delivery_check" check ("delivery" in ('waiting', 'failing', 'sent'));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "enquiries" cascade;`);
  }
}
