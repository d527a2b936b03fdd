import { ConflictException } from '@nestjs/common';

/** Thrown when a change would leave the site without an administrator. Nothing was changed. */
export class LastAdminException extends ConflictException {
  constructor(message = 'This is the last administrator: make someone else an administrator first.') {
    super({ code: 'last_admin', message });
  }
}
