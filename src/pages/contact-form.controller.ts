import { Body, Controller, Logger, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ContactService } from '../contact/contact.service.js';
import { Public } from '../http/public.decorator.js';
import { Submission, type SubmissionFacts } from '../http/submission.decorator.js';
import { paths } from '../shared/paths.js';
import { PageRenderer } from './page-renderer.js';

/** The contact form where no scripts run: a page answers. */
@Public()
@ApiExcludeController()
@Controller()
export class ContactFormController {
  private readonly logger = new Logger(ContactFormController.name);

  constructor(
    private readonly contact: ContactService,
    private readonly renderer: PageRenderer,
  ) {}

  @Post('contact')
  async submit(
    @Body() body: unknown,
    @Submission() submission: SubmissionFacts,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    try {
      await this.contact.submitForm(body, submission);
      // Reloading the page that follows sends nothing again. It is the same for everyone: the fragment says that it was sent.
      await reply.redirect(`${paths.contactSent}#sent`, 303);
    } catch (error) {
      const { status, form } = this.contact.describeRefusal(body, error);
      if (status >= 500) this.logger.error({ err: error }, 'An enquiry could not be taken in');
      // People see it and tell it; on a page of a lower status it would mean nothing.
      const message = status >= 500 ? `${form.message} Error id ${request.id}` : form.message;
      const page = await this.renderer.renderOnce(paths.contact, status, { refusedForm: { ...form, message } });
      await reply.status(page.status).headers(page.headers).send(page.bodyIn('identity'));
    }
  }
}
