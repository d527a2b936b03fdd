import { describe, expect, it } from '@jest/globals';
import { describeJobError } from './job-queue-error.js';

const refused = Object.assign(new AggregateError([new Error('one address'), new Error('the other')]), {
  code: 'ECONNREFUSED',
});

describe('describeJobError', () => {
  it.each([
    [new Error('It was lost'), 'It was lost'],
    // As a worker of pg-boss gives it.
    [{ ...refused, message: 'It was lost', queue: 'mail' }, 'It was lost'],
    [refused, 'ECONNREFUSED'],
    [{ ...refused, message: refused.message, queue: 'mail' }, 'ECONNREFUSED'],
    ['a word', 'a word'],
    [undefined, 'undefined'],
  ])('has words for %s', (error, words) => {
    expect(describeJobError(error)).toBe(words);
  });
});
