import { describe, expect, it } from '@jest/globals';
import { fieldNames, specOf } from './post-fields.js';

describe('postFields', () => {
  it('carries every field everywhere, but for these', () => {
    expect(fieldNames(({ isCopied }) => isCopied === false)).toEqual(['slug', 'canonical_url']);
    expect(fieldNames(({ isTransferred }) => isTransferred === false)).toEqual([]);
    expect(fieldNames(({ audience }) => audience === 'admin')).toEqual([]);
  });

  it('asks for nothing that the release before does not write', () => {
    expect(fieldNames(({ isRequired }) => isRequired === true)).toEqual(['title', 'slug', 'content', 'author']);
  });

  it('limits what a column cannot hold', () => {
    const unlimited = fieldNames(({ column, limit }) => column === 'varchar' && limit === undefined);
    expect(unlimited).toEqual([]);
    expect(fieldNames(({ kind, column }) => (kind === 'words') !== (column === 'text[]'))).toEqual([]);
    expect(specOf('content')).toMatchObject({ kind: 'html', column: 'text' });
  });
});
