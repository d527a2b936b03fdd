import type { EnquiryState } from '../../src/shared/contracts/enquiries.js';

/** The words of the list of enquiries. */
export const enquiryMessages = {
  loading: 'Loading enquiries...',
  empty: 'Nobody has written yet. What people send with the contact form arrives here, and in your mailbox.',
  nothingFound: 'No enquiry fits. Try other words, or show all of them.',
  fetchFailed: { title: 'Error', text: 'Failed to fetch enquiries' },
  exportFailed: 'The export failed',
  handled: 'Enquiry marked as handled',
  unhandled: 'Enquiry marked as not handled',
  resent: 'The mail is on its way',
  erased: 'Enquiry erased',
  confirmErase: 'Are you sure you want to erase this enquiry? Nothing brings it back.',
  confirmResend: 'This mail was delivered already. Send it to the company once more?',
} as const;

/** The states of enquiries in words. */
export const enquiryStateWords: Readonly<Record<EnquiryState, string>> = {
  waiting: 'Being delivered',
  failing: 'Not delivered yet',
  sent: 'Delivered',
  handled: 'Handled',
};
