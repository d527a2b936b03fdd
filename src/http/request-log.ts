import type { IncomingMessage, ServerResponse } from 'node:http';
import { PinoLogger } from 'nestjs-pino';

const refusals = new WeakMap<ServerResponse, string>();

/** Lets the line about a request say why it was refused, by the code of its answer. */
export function noteRefusal(response: ServerResponse, code: string): void {
  refusals.set(response, code);
}

/** Returns the code with which a request was refused, if it was. */
export function refusalOf(response: ServerResponse): string | undefined {
  return refusals.get(response);
}

/** Writes a line about a request when its answer is over, or its visitor has gone. */
export function logWhenOver(
  request: IncomingMessage,
  response: ServerResponse,
  begunAt: number,
  addressOf: (request: IncomingMessage) => string,
): void {
  const logger = PinoLogger.root;
  if (!logger.isLevelEnabled('info')) return;
  // Later nobody knows it any more.
  addressOf(request);
  response.once('close', () => {
    const line = { req: request, res: response, responseTime: Math.round(performance.now() - begunAt) };
    logger.info(line, response.writableFinished ? 'request completed' : 'request aborted');
  });
}
