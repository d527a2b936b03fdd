/** Closes on the first SIGINT or SIGTERM and ends the process with the outcome; further ones are ignored. */
export function closeOnSignal(close: () => Promise<void>): void {
  let isClosing = false;
  const handleSignal = () => {
    if (isClosing) return;
    isClosing = true;
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`Could not stop cleanly: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', handleSignal);
  process.on('SIGTERM', handleSignal);
}
