import { describe, expect, it } from '@jest/globals';
import { toTelephoneUri } from './phone.js';

describe('toTelephoneUri', () => {
  it.each([
    ['(555) 010-0100', 'tel:+15550100100'],
    ['1 555 010 0100', 'tel:+15550100100'],
    ['+1 (555) 010-0100', 'tel:+15550100100'],
    ['+49 30 901820', 'tel:+4930901820'],
    ['011 49 30 901820', 'tel:+4930901820'],
    ['(555) 010-0100 ext. 12', 'tel:+15550100100;ext=12'],
    ['555-010-0100 x7', 'tel:+15550100100;ext=7'],
    // Too short for a number of an area: who set it knows whom it reaches.
    ['911', 'tel:911'],
  ])('%s is called at %s', (phone, uri) => {
    expect(toTelephoneUri(phone)).toBe(uri);
  });
});
