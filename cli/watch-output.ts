import { writeSync } from 'node:fs';
import { EXIT_CODES } from './exit-codes.js';

/**
 * Lets a command finish although its output can be written no further. A reader that has closed the pipe, such as `head`,
 * has what it wants. Anything else, such as a full disk, is said at the end, and the exit code is no 0.
 */
export function watchOutput(output: NodeJS.WriteStream, errors: NodeJS.WriteStream & { readonly fd: number }): void {
  let failure: NodeJS.ErrnoException | null = null;
  for (const stream of [output, errors]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') failure ??= error;
    });
  }
  process.on('exit', () => {
    if (failure === null) return;
    process.exitCode = process.exitCode || EXIT_CODES.someRefused;
    try {
      writeSync(errors.fd, `Error: not everything could be printed: ${failure.message}\n`);
    } catch {
      // The exit code says it.
    }
  });
}
