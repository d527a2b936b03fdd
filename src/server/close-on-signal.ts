import cluster from 'node:cluster';

/** One press of Ctrl+C arrives up to three times: from the terminal, from npm and from a Node that started this one. */
const ECHO_MS = 1_000;

interface Ways {
  /** Ends what has begun, then everything else. */
  readonly close: () => Promise<void>;
  /** Waits for nobody; what must not outlive this process ends even so. */
  readonly abandon: () => Promise<void>;
}

/**
 * Closes on the first SIGINT or SIGTERM and ends the process with the outcome. Whoever sends another one later does
 * not want to wait. Workers leave that to the process that watches them: what a terminal or a service manager sends
 * reaches both.
 */
export function closeOnSignal({ close, abandon }: Ways): void {
  let begunAt: number | undefined;
  let isAbandoned = false;
  const handleSignal = () => {
    if (begunAt === undefined) {
      begunAt = performance.now();
      exitAfter(close, 0);
    } else if (cluster.isPrimary && performance.now() - begunAt > ECHO_MS) {
      if (isAbandoned) process.exit(1);
      isAbandoned = true;
      process.stderr.write('Stopped without waiting for what was still being done.\n');
      exitAfter(abandon, 1);
    }
  };
  process.on('SIGINT', handleSignal);
  process.on('SIGTERM', handleSignal);
}

function exitAfter(end: () => Promise<void>, code: number): void {
  end().then(
    () => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`Could not stop cleanly: ${String(error)}\n`);
      process.exit(1);
    },
  );
}
