import { EntityManager } from '@mikro-orm/postgresql';
import { Enquiry, type EnquiryRow } from '../../src/contact/enquiry.entity.js';
import type { ContactEnquiry } from '../../src/shared/contracts/contact.js';
import type { TestApp } from './create-test-app.js';

let count = 0;

/** Builds a complete enquiry; a test overrides only what it is about. */
export function buildEnquiry(overrides: Partial<ContactEnquiry> = {}): ContactEnquiry {
  count += 1;
  return {
    name: `Pat Doe ${count}`,
    email: `pat-${count}@example.org`,
    message: `Printer ${count} is on fire.`,
    ...overrides,
  };
}

/** Sends an enquiry as a program does. */
export function sendEnquiry(app: TestApp, payload: unknown, headers: Readonly<Record<string, string>> = {}) {
  return app.inject({
    method: 'POST',
    url: '/api/contact',
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
}

/** Returns the stored enquiries, newest first. */
export function storedEnquiries(app: TestApp): Promise<EnquiryRow[]> {
  return app
    .get(EntityManager)
    .fork()
    .find(Enquiry, {}, { orderBy: { createdAt: 'desc', id: 'desc' } });
}

/** The stored enquiry from an address, or null. */
export function storedFrom(app: TestApp, email: string): Promise<EnquiryRow | null> {
  return app.get(EntityManager).fork().findOne(Enquiry, { email });
}
