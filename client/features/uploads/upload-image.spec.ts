import { describe, expect, it } from '@jest/globals';
import { uploadImage } from './upload-image.js';

describe('an upload', () => {
  it('that is given up while the password is asked for sends nothing', async () => {
    const leaving = new AbortController();
    const withSession = async <T>(task: (accessToken: string) => Promise<T>): Promise<T> => {
      leaving.abort();
      return await task('a token of the new session');
    };
    const file = new File(['picture'], 'a.png', { type: 'image/png' });
    // There is nothing here that could send it, which would be another error.
    await expect(uploadImage({ withSession }, file, { signal: leaving.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});
