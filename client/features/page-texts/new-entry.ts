import type { PageField } from '../../../src/shared/contracts/page-texts/fields.js';

/** Returns what an added entry has at first. */
export function newEntry(field: PageField): unknown {
  if (field.kind !== 'list') return '';
  return Object.fromEntries(Object.entries(field.of).map(([name, own]) => [name, emptyValue(own)]));
}

function emptyValue(field: PageField): unknown {
  switch (field.kind) {
    case 'line':
    case 'text':
    case 'rich':
    case 'price':
      return '';
    case 'glyph':
      return 'badge';
    case 'choice':
      return Object.keys(field.options)[0];
    case 'lines':
    case 'list':
      return [];
  }
}
