import { describe, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { createTestApp } from '../support/create-test-app.js';

describe('the migrations', () => {
  it('make the schema of the entities that the modules register', async () => {
    const { get } = await createTestApp();
    const { up, down } = await get(MikroORM).schema.getUpdateSchemaMigrationSQL({ wrap: false, dropTables: true });
    expect({ up, down }).toEqual({ up: '', down: '' });
  });
});
