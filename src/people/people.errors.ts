import { ConflictException, NotFoundException } from '@nestjs/common';

/** Nobody of that id has a role, or no longer. */
export class PersonNotFoundException extends NotFoundException {
  constructor() {
    super({ code: 'person_not_found', message: 'This account has no role in the admin area any more.' });
  }
}

/** Somebody else has given the person another role since it was read. Nothing was changed. */
export class RoleChangedException extends ConflictException {
  constructor() {
    super({
      code: 'role_changed',
      message: 'Somebody else has changed this role meanwhile. Look at what it is now, and decide again.',
    });
  }
}

/** Somebody who is invited has another role already: an invitation takes nothing from anybody. */
export class HasRoleException extends ConflictException {
  constructor(email: string) {
    super({ code: 'has_role', message: `${email} has another role already. Change it in the list.` });
  }
}
