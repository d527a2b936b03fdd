import { ConflictException, NotFoundException } from '@nestjs/common';

/** Thrown when a change would leave the site without an administrator. Nothing was changed. */
export class LastAdminException extends ConflictException {
  constructor(message = 'This is the last administrator: make someone else an administrator first.') {
    super({ code: 'last_admin', message });
  }
}

/** Thrown when a role is given to an account that there is not, or no longer. */
export class AccountGoneException extends NotFoundException {
  constructor() {
    super({ code: 'person_not_found', message: 'There is no such account any more.' });
  }
}
