import { HttpException } from '@nestjs/common';

/** Thrown when the body of a request takes too long to arrive: 408. */
export class SlowRequestException extends HttpException {
  constructor() {
    super(
      { code: 'request_timeout', message: 'The request took too long to arrive. Nothing was changed; try again.' },
      408,
    );
  }
}
