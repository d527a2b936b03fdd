import { Injectable, type PipeTransform } from '@nestjs/common';
import { inputPipe } from '../http/input-pipe.js';
import type { ContactEnquiry } from '../shared/contracts/contact.js';
import { cleanEnquiry, toProblems } from './enquiry-input.js';
import { InvalidEnquiryException } from './enquiry.errors.js';

/** Reads an enquiry from the body of a request, before its rules are checked: they are rules of what is stored. */
@Injectable()
export class CleanEnquiryPipe implements PipeTransform<unknown, ContactEnquiry> {
  transform(body: unknown): ContactEnquiry {
    return cleanEnquiry(body);
  }
}

/** Checks an enquiry by its contract. */
export const enquiryPipe = inputPipe((errors) => new InvalidEnquiryException(toProblems(errors)));
