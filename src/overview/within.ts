/** Thrown by {@link within}. */
export class TooLateError extends Error {
  override readonly name = 'TooLateError';

  constructor(limitMs: number) {
    super(`no answer within ${limitMs / 1000} s`);
  }
}

/** Waits for a promise for so long, and no longer. @throws TooLateError */
export async function within<T>(limitMs: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TooLateError(limitMs)), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
