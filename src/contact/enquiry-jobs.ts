import { MAIL_JOB_SECONDS } from '../config/time-limits.js';
import type { QueueDefinition } from '../database/job-queue.js';

/** The mail about an enquiry. Names the mail, so that a job that was overtaken by another one does nothing. */
export interface EnquiryJob {
  readonly enquiryId: string;
  readonly messageId: string;
}

/** The mail that tells somebody that the message has arrived. */
export interface AcknowledgementJob {
  readonly enquiryId: string;
}

/** The mail with an answer to somebody who wrote. */
export interface AnswerJob {
  readonly enquiryId: string;
  readonly answerId: string;
}

const DAY = 24 * 3600;

/**
 * Mails to the company: 1 s to 5 min between attempts, and never given up, because nobody else has the text. The first
 * success makes waiting mails due at once. Queues of mails are named `mail` or `mail-...`.
 */
export const ENQUIRY_QUEUE: QueueDefinition = {
  name: 'mail-enquiries',
  options: {
    retryLimit: 1_000_000,
    retryDelay: 1,
    retryDelayMax: 300,
    expireInSeconds: MAIL_JOB_SECONDS,
    deleteAfterSeconds: 7 * DAY,
    retentionSeconds: 3650 * DAY,
  },
};

/** Answers: never given up unless the recipient is refused, as somebody believes them sent. */
export const ANSWER_QUEUE: QueueDefinition = { ...ENQUIRY_QUEUE, name: 'mail-answers' };

/** Acknowledgements: for about a day, then they would only confuse. */
export const ACKNOWLEDGEMENT_QUEUE: QueueDefinition = {
  name: 'mail-acknowledgements',
  options: {
    retryLimit: 40,
    retryDelay: 5,
    retryDelayMax: 3600,
    expireInSeconds: MAIL_JOB_SECONDS,
    deleteAfterSeconds: DAY,
  },
};
