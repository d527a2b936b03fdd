import { Migration } from '@mikro-orm/migrations';

export class Migration20261123163632 extends Migration {
  override name = 'Migration20261123163632';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "settings_documents" ("name" varchar(40) not null, "revision" int not null, "content" jsonb not null, "version" int not null, "draft" jsonb null, "changed_at" timestamptz not null, "changed_by_kind" varchar(10) not null, "changed_by" uuid null, primary key ("name"));`,
    );

    this.addSql(
      `create table "settings_versions" ("document" varchar(40) not null, "version" int not null, "content" jsonb not null, "published_at" timestamptz not null, "published_by_kind" varchar(10) not null, "published_by" uuid null, primary key ("document", "version"));`,
    );

    this.addSql(
      `alter table "settings_documents" add constraint "settings_documents_changed_by_foreign" foreign key ("changed_by") references "auth"."users" ("id") on delete set null;`,
    );

    this.addSql(
      `alter table "settings_versions" add constraint "settings_versions_document_foreign" foreign key ("document") references "settings_documents" ("name") on delete cascade;`,
    );
    this.addSql(
      `alter table "settings_versions" add constraint "settings_versions_published_by_foreign" foreign key ("published_by") references "auth"."users" ("id") on delete set null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "settings_versions" drop constraint "settings_versions_document_foreign";`);

    this.addSql(`drop table if exists "settings_documents" cascade;`);
    this.addSql(`drop table if exists "settings_versions" cascade;`);
  }
}
