import { BadRequestException, ConflictException, HttpException, HttpStatus, NotFoundException } from '@nestjs/common';
import type { EnquiryProblems } from '../shared/contracts/contact.js';
import type { EnquiryRecord } from '../shared/contracts/enquiries.js';

/** Fields are missing, wrong or too long; nothing was stored. */
export class InvalidEnquiryException extends BadRequestException {
  constructor(readonly problems: EnquiryProblems) {
    const fields = Object.fromEntries(Object.entries(problems).map(([field, message]) => [field, [message]]));
    super({ code: 'validation_failed', message: Object.values(problems)[0] ?? 'The message is not complete.', fields });
  }
}

/** A program filled in the form, or something that looks like one. People get through with their second try. */
export class SuspectedProgramException extends BadRequestException {
  constructor() {
    super({
      code: 'suspected_program',
      message: 'This looked like a program and not like a person. Please send your message once more.',
    });
  }
}

/** Too many enquiries from one network, or in all. */
export class TooManyEnquiriesException extends HttpException {
  constructor(phone: string) {
    const message = `Too many messages were sent. Please try again in a while, or call ${phone}.`;
    super({ code: 'over_enquiry_limit', message }, HttpStatus.TOO_MANY_REQUESTS);
  }
}

/** There is no such enquiry, or it was erased. */
export class UnknownEnquiryException extends NotFoundException {
  constructor() {
    super({ code: 'enquiry_not_found', message: 'There is no such enquiry.' });
  }
}

/** Somebody else changed the enquiry since the writer read it. Nothing was written. */
export class EnquiryChangedException extends ConflictException {
  /** @param current how the enquiry stands now */
  constructor(current: EnquiryRecord) {
    super({
      code: 'enquiry_changed',
      message: 'Somebody else changed this enquiry in the meantime. Nothing of yours was saved yet.',
      current,
    });
  }
}

/** An answer with this id was sent before, in other words. */
export class AnswerExistsException extends ConflictException {
  constructor() {
    super({ code: 'answer_exists', message: 'This answer was sent already, in other words. Nothing was sent now.' });
  }
}

/** There is no such answer, or its enquiry was erased. */
export class UnknownAnswerException extends NotFoundException {
  constructor() {
    super({ code: 'answer_not_found', message: 'There is no such answer.' });
  }
}

/** Two saved answers cannot have one name. */
export class SavedAnswerNameException extends ConflictException {
  constructor(name: string) {
    super({ code: 'name_taken', message: `There is a saved answer with the name ‘${name}’ already.` });
  }
}

/** Somebody else changed or removed the saved answer since the writer read it. Nothing was written. */
export class SavedAnswerChangedException extends ConflictException {
  constructor() {
    super({
      code: 'saved_answer_changed',
      message: 'Somebody else changed this saved answer in the meantime. Nothing of yours was saved yet.',
    });
  }
}

/** An enquiry is looked after by administrators. */
export class UnknownAssigneeException extends BadRequestException {
  constructor() {
    super({ code: 'unknown_assignee', message: 'Only an administrator can look after an enquiry.' });
  }
}

/** The mail cannot be sent again, because its words are gone. */
export class RedactedEnquiryException extends HttpException {
  constructor() {
    super(
      {
        code: 'enquiry_redacted',
        message:
          'The message was removed when its time was over: it can neither be sent again nor answered, nor get a note.',
      },
      HttpStatus.CONFLICT,
    );
  }
}
