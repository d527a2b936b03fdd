import { afterEach, beforeEach, expect, jest } from '@jest/globals';

// Whatever complains on the console without being expected to fails the test: React reports a hydration mismatch
// there, Node an unhandled warning. A test that expects a complaint spies on the console itself.
let complaints: unknown[][] = [];

beforeEach(() => {
  complaints = [];
  for (const method of ['error', 'warn'] as const) {
    jest.spyOn(console, method).mockImplementation((...args: unknown[]) => void complaints.push(args));
  }
});

afterEach(() => {
  expect(complaints).toEqual([]);
});
