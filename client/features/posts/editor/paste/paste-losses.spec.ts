import { describe, expect, it } from '@jest/globals';
import { addLosses, describeLosses, NO_LOSSES } from './paste-losses.js';

describe('what did not come along with a paste', () => {
  it('is said once, with its count', () => {
    expect(describeLosses(NO_LOSSES)).toBeNull();
    const losses = addLosses(
      { ...NO_LOSSES, images: 1, schemes: ['file'], parts: ['a form field', 'a player'], nested: 1 },
      { images: 1, schemes: ['file', 'javascript'], parts: ['a form field'], nested: 1, joined: 1 },
    );
    expect(describeLosses(losses)).toBe(
      '2 pictures did not come along with the pasted text. Add them from files. ' +
        '3 links lead nowhere now: links of posts lead to http, https, mailto and tel addresses, not to file:, javascript:. ' +
        'Posts cannot hold everything: a form field (2 times), a player did not come along with the pasted text. ' +
        'Tables cannot stand in cells: the rows of 2 are lines of text, with bars between the cells. ' +
        'A pasted table has joined cells: they are kept, and rows and columns cannot be added or deleted there.',
    );
  });
});
