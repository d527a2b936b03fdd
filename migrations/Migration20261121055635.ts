import { Migration } from '@mikro-orm/migrations';

export class Migration20261121055635 extends Migration {
  override name = 'Migration20261121055635';

  override up(): void | Promise<void> {
    this.addSql(`create index "audit_log_action_id_index" on "audit_log" ("action", "id");`);
    this.addSql(`create index "audit_log_by_machines" on "audit_log" ("actor_kind", "id") where actor_kind <> 'user';`);

    this.addSql(`create index "enquiries_open" on "enquiries" ("created_at", "id") where handled_at is null;`);
    this.addSql(`create index "enquiries_handled" on "enquiries" ("created_at", "id") where handled_at is not null;`);
    this.addSql(
      `create index "enquiries_search" on "enquiries" using gin ((name || ' ' || email || ' ' || message) gin_trgm_ops);`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "audit_log_action_id_index";`);
    this.addSql(`drop index "audit_log_by_machines";`);

    this.addSql(`drop index "enquiries_open";`);
    this.addSql(`drop index "enquiries_handled";`);
    this.addSql(`drop index "enquiries_search";`);
  }
}
