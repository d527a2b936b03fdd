import cluster, { type Worker } from 'node:cluster';
import type { Server } from 'node:http';

const LET_GO = 'the port is yours';

/**
 * Lets go of the port in the process that watches workers, as far as it holds it for this one, and tells the worker so.
 * The worker goes on serving; the worker that stops listening last closes the port (decision 50).
 */
export function letGoOfPort(worker: Worker): void {
  if (!worker.isConnected()) return;
  // The one way in which Node closes the share of this process before the worker closes its own.
  worker.disconnect();
  worker.send(LET_GO, () => undefined);
}

/** The port as its process sees it: in a worker, the process that watches it holds it too, and has to let go first. */
export class SharedPort {
  private isLetGo = !cluster.isWorker;

  constructor() {
    if (this.isLetGo) return;
    process.on('message', (message: unknown) => {
      if (message === LET_GO) this.isLetGo = true;
    });
  }

  /** True when no other process but workers hold it, so that who listens last may close it. */
  get isOurs(): boolean {
    return this.isLetGo;
  }

  /** Keeps a server listening when the process that watches this one lets go: Node has it close then. */
  keepOpen<T extends Server>(server: T): T {
    if (this.isLetGo) return server;
    const close = server.close.bind(server);
    server.close = (done?: (error?: Error) => void) => {
      // Node asks before the message arrives; whoever asks later means it.
      if (this.isLetGo) return close(done);
      if (done) server.once('close', () => done());
      return server;
    };
    return server;
  }
}
