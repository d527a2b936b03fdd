/**
 * A reader that has seen enough, such as `head`, closes the pipe. What was begun is finished all the same, and what
 * can no longer be read is not written.
 */
export function outliveReaders(streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
