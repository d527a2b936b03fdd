import { Migration } from '@mikro-orm/migrations';

export class Migration20261123135823 extends Migration {
  override name = 'Migration20261123135823';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "enquiries" add "opened_at" timestamptz null, add "answered_at" timestamptz null, add "assignee_id" uuid null, add "note" text not null default '', add "version" int not null default 1, add "is_kept_while_open" boolean not null default false;`,
    );
    // Their mail was read: only what the mailbox never got is new to everybody.
    this.addSql(
      `update "enquiries" set "opened_at" = coalesce("handled_at", now()) where "handled_at" is not null or "delivery" = 'sent';`,
    );
    this.addSql(
      `alter table "enquiries" add constraint "enquiries_assignee_id_foreign" foreign key ("assignee_id") references "auth"."users" ("id") on delete set null;`,
    );
    this.addSql(
      `create index "enquiries_to_do" on "enquiries" ("created_at", "id") where handled_at is null and answered_at is null;`,
    );
    this.addSql(
      `create index "enquiries_answered" on "enquiries" ("created_at", "id") where handled_at is null and answered_at is not null;`,
    );
    this.addSql(
      `create index "enquiries_assignee_id_created_at_id_index" on "enquiries" ("assignee_id", "created_at", "id");`,
    );
    this.addSql(`create index "enquiries_closed_unredacted" on "enquiries" ("handled_at") where redacted_at is null;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "enquiries" drop constraint "enquiries_assignee_id_foreign";`);

    this.addSql(`drop index "enquiries_to_do";`);
    this.addSql(`drop index "enquiries_answered";`);
    this.addSql(`drop index "enquiries_assignee_id_created_at_id_index";`);
    this.addSql(`drop index "enquiries_closed_unredacted";`);
    this.addSql(
      `alter table "enquiries" drop column "opened_at", drop column "answered_at", drop column "assignee_id", drop column "note", drop column "version", drop column "is_kept_while_open";`,
    );
  }
}
