import { Migration } from '@mikro-orm/migrations';

export class Migration20261123163000 extends Migration {
  override name = 'Migration20261123163000';

  override up(): void | Promise<void> {
    this.addSql(`alter table "images" add column "kind" varchar(10) not null default 'image';`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "images" drop column "kind";`);
  }
}
