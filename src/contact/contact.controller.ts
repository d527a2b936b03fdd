import { Body, Controller, Header, HttpCode, Post, UseGuards } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConsumes,
  ApiHeader,
  ApiOperation,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import { Public } from '../http/public.decorator.js';
import { Submission, type SubmissionFacts } from '../http/submission.decorator.js';
import { ELAPSED_HEADER, IDEMPOTENCY_HEADER } from '../shared/contracts/contact-form.js';
import { ContactEnquiry } from '../shared/contracts/contact.js';
import type { EnquiryReceipt } from '../shared/contracts/enquiries.js';
import { ContactService } from './contact.service.js';
import { CleanEnquiryPipe, enquiryPipe } from './enquiry.pipes.js';
import { PersonGuard } from './person.guard.js';

/** Takes enquiries of the contact form, and of programs that knew the hosted function which this replaces. */
@Public()
@ApiTags('contact')
@Controller()
export class ContactController {
  constructor(private readonly contact: ContactService) {}

  @UseGuards(PersonGuard)
  @Post(['api/contact', 'functions/v1/send-contact-email'])
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'Send an enquiry',
    description:
      'It is stored, and its delivery queued, before the answer. The same words from the same person within ten ' +
      'minutes are one enquiry, or with a key, whatever was sent under that key.',
  })
  @ApiConsumes('application/json', 'application/x-www-form-urlencoded')
  @ApiHeader({ name: IDEMPOTENCY_HEADER, required: false, description: 'one per filling of the form' })
  @ApiHeader({ name: ELAPSED_HEADER, required: false, description: 'for how long the form was shown, in ms' })
  @ApiBadRequestResponse({
    description: '`validation_failed`, with what is wrong with which field; `suspected_program`; `bad_request`',
  })
  @ApiTooManyRequestsResponse({ description: '`over_enquiry_limit`: too many from one network, or in all' })
  async submit(
    @Body(CleanEnquiryPipe, enquiryPipe) enquiry: ContactEnquiry,
    @Submission() submission: SubmissionFacts,
  ): Promise<EnquiryReceipt> {
    await this.contact.submit(enquiry, submission);
    return { status: 'accepted' };
  }
}
