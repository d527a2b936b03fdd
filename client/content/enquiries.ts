import {
  SILENCING_REASONS,
  type AnswerDelivery,
  type EnquiryCounts,
  type EnquiryDelivery,
  type EnquiryRecord,
  type EnquiryState,
  type SpamReason,
} from '../../src/shared/contracts/enquiries.js';

/** The words of the screens of enquiries. */
export const enquiryMessages = {
  loading: 'Loading enquiries...',
  loadingOne: 'Loading the enquiry...',
  empty:
    'No enquiries here. What people send with the contact form arrives here, and in your mailbox; spam is kept apart.',
  nothingFound: 'No enquiry fits. Try other words, or show all of them.',
  fetchFailed: { title: 'Error', text: 'Failed to fetch enquiries' },
  fetchOneFailed: { title: 'Error', text: 'Failed to fetch the enquiry' },
  gone: 'There is no such enquiry: it was erased, and cannot be answered any more, or the address is not right.',
  exportFailed: 'The export failed',
  closed: 'Enquiry closed',
  reopened: 'Enquiry opened again',
  saved: 'Saved',
  noteSaved: 'Note saved',
  markedSpam: 'Marked as spam',
  unmarkedSpam: 'Taken out of the spam',
  resent: 'The mail is on its way',
  erased: 'Enquiry erased',
  answered: 'The answer is on its way',
  answeredMeanwhile: 'Another answer was sent while you wrote: it stands above.',
  answerRefused: 'They do not have the last answer: their mail server refused it.',
  answerRetried: 'The answer is on its way once more',
  answerSaved: 'Saved answer kept',
  answerRemoved: 'Saved answer removed',
  confirmErase: 'Are you sure you want to erase this enquiry? Nothing brings it back.',
  confirmResend: 'This mail was delivered already. Send it to the company once more?',
} as const;

/** The states of enquiries in words. */
export const enquiryStateWords: Readonly<Record<EnquiryState, string>> = {
  new: 'New',
  open: 'Open',
  answered: 'Answered',
  closed: 'Closed',
  spam: 'Spam',
};

/** Why an enquiry is spam, in sentences. */
export const spamReasonSentences: Readonly<Record<SpamReason, string>> = {
  marked: 'It was marked as spam. What this address writes next is sorted as spam too, and no mail tells you of it.',
  sender: 'An enquiry from this address was marked as spam before, so no mail told you of this one.',
  words: 'Its words are those of enquiries that were marked as spam. The mail to your mailbox says so.',
};

/** How far the mail to the company is, in words. */
export const enquiryDeliveryWords: Readonly<Record<EnquiryDelivery, string>> = {
  waiting: 'Being delivered',
  failing: 'Not delivered yet',
  sent: 'Delivered',
};

/** How far the mail to the company is, in words; that about what a person silenced does not leave by itself. */
export function describeDelivery(enquiry: EnquiryRecord): string {
  return isHeldBack(enquiry) ? 'Held back' : enquiryDeliveryWords[enquiry.delivery];
}

/** Returns true where no mail leaves until somebody takes the enquiry out of the spam, or asks for the mail. */
export function isHeldBack({ delivery, spam_reason: reason }: EnquiryRecord): boolean {
  return delivery === 'waiting' && reason !== null && SILENCING_REASONS.includes(reason);
}

/** How far the mail with an answer is, in words. */
export const answerDeliveryWords: Readonly<Record<AnswerDelivery, string>> = {
  waiting: 'Being delivered',
  failing: 'Not delivered yet',
  sent: 'Delivered',
  refused: 'Refused by their mail server',
};

/** The counts for the navigation. */
export function describeCounts({ new: fresh, open }: EnquiryCounts) {
  const count = fresh + open;
  return {
    count,
    note: fresh === 0 ? '' : `${fresh} new`,
    words: `${count} to answer${fresh === 0 ? '' : `, ${fresh} of them new`}`,
  };
}

/** Says how somebody else changed an enquiry while one wrote. */
export function describeOtherChange({ state, note }: EnquiryRecord, assignee: string): string {
  const words = note === '' ? 'There is no note.' : `The note is: ‘${note}’`;
  return `Somebody else changed this enquiry in the meantime. It is ${enquiryStateWords[state].toLowerCase()} now, looked after by ${assignee}. ${words}`;
}
