import { Migration } from '@mikro-orm/migrations';

export class Migration20261123165500 extends Migration {
  override name = 'Migration20261123165500';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "enquiry_answers" ("id" uuid not null, "enquiry_id" uuid not null, "author_id" uuid null, "text" text not null, "delivery" text not null, "message_id" varchar(400) not null, "attempts" int not null default 0, "last_error" text null, "created_at" timestamptz not null, "sent_at" timestamptz null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "enquiry_answers" add constraint "enquiry_answers_delivery_check" check ("delivery" in ('waiting', 'failing', 'sent', 'refused'));`,
    );
    this.addSql(`create index "enquiry_answers_author_id_index" on "enquiry_answers" ("author_id");`);
    this.addSql(
      `create index "enquiry_answers_enquiry_id_created_at_index" on "enquiry_answers" ("enquiry_id", "created_at");`,
    );
    this.addSql(
      `create index "enquiry_answers_undelivered" on "enquiry_answers" ("id") where delivery in ('waiting', 'failing');`,
    );
    this.addSql(
      `create table "saved_answers" ("id" uuid not null, "name" varchar(100) not null, "text" text not null, "version" int not null default 1, primary key ("id"));`,
    );
    this.addSql(`alter table "saved_answers" add constraint "saved_answers_name_unique" unique ("name");`);
    this.addSql(
      `alter table "enquiry_answers" add constraint "enquiry_answers_enquiry_id_foreign" foreign key ("enquiry_id") references "enquiries" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "enquiry_answers" add constraint "enquiry_answers_author_id_foreign" foreign key ("author_id") references "auth"."users" ("id") on delete set null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "enquiry_answers" cascade;`);
    this.addSql(`drop table if exists "saved_answers" cascade;`);
  }
}
