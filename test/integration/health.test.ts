import { describe, expect, it } from '@jest/globals';
import { createTestApp } from '../support/create-test-app.js';

describe('GET /api/health', () => {
  it('says that the process can serve', async () => {
    const { inject } = await createTestApp();
    const answer = await inject('/api/health');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ status: 'ok' });
    expect(answer.headers['cache-control']).toBe('no-store');
  });
});
