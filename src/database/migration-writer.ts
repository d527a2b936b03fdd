import { MikroORM } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';

/** Compares the entities, which the modules of all rooms register, with the schema that the migrations make. */
@Injectable()
export class MigrationWriter {
  constructor(private readonly orm: MikroORM) {}

  /**
   * Writes a migration for the differences, into the source folder.
   * @returns the file's name, or undefined when there is nothing to migrate
   */
  async write(): Promise<string | undefined> {
    const { fileName } = await this.orm.migrator.create();
    return fileName || undefined;
  }
}
