import { Migration } from '@mikro-orm/migrations';

export class Migration20261123000520 extends Migration {
  override name = 'Migration20261123000520';

  override up(): void | Promise<void> {
    this.addSql(
      `create index "blog_posts_contents_5fa8b80e" on "blog_posts" using gin ((regexp_replace(regexp_replace(content || ' ' || coalesce(working_copy #>> '{fields,content}', ''), '</{0,1}(a|b|strong|em|i|u|s|span|code|sub|sup)( [^>]*){0,1}>', '', 'g'), '<[^>]*>', ' ', 'g')) gin_trgm_ops);`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "blog_posts_contents_5fa8b80e";`);
  }
}
