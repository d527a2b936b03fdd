import { Migration } from '@mikro-orm/migrations';

export class Migration20261123004023 extends Migration {
  override name = 'Migration20261123004023';

  override up(): void | Promise<void> {
    this.addSql(`alter table "images" add "file_name" varchar(255) null, add "alternative_text" text null;`);
    this.addSql(
      `create index "images_search" on "images" using gin ((coalesce(file_name, '') || ' ' || coalesce(alternative_text, '')) gin_trgm_ops);`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "images_search";`);
    this.addSql(`alter table "images" drop column "file_name", drop column "alternative_text";`);
  }
}
