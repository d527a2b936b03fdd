import { describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from '../../src/database/orm.config.js';
import { onCleanup } from '../support/cleanup.js';
import { cloneDatabase } from '../support/database.js';

describe('the migrations', () => {
  it('make the schema that the entities describe', async () => {
    const orm = await MikroORM.init(ormOptions(await cloneDatabase()));
    onCleanup(() => orm.close());
    const { up, down } = await orm.schema.getUpdateSchemaMigrationSQL({ wrap: false, dropTables: true });
    expect({ up, down }).toEqual({ up: '', down: '' });
  });
});
