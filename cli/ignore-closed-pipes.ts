/**
 * Lets a command finish although its reader, such as `head`, has closed the pipe. Output that nobody can read is
 * dropped.
 */
export function ignoreClosedPipes(streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}
