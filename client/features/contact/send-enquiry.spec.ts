import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { sendEnquiry } from './send-enquiry.js';

const enquiry = { name: 'Robin Vale', email: 'robin@vale.example', message: 'The printer is gone again.' };

const filling = { key: 'key-1', elapsedMs: 4321.6, trap: '' };

let fetchMock: jest.SpiedFunction<typeof fetch>;
let logMock: jest.SpiedFunction<typeof console.error>;

beforeEach(() => {
  fetchMock = jest.spyOn(globalThis, 'fetch');
  logMock = jest.spyOn(console, 'error').mockImplementation(() => undefined);
});

describe('sendEnquiry', () => {
  it('posts name, email and message as JSON and reports success', async () => {
    fetchMock.mockResolvedValue(Response.json({}, { status: 202 }));

    expect(await sendEnquiry(enquiry, filling)).toEqual({ outcome: 'sent' });

    const [address, init] = fetchMock.mock.calls[0] ?? [];
    expect(address).toBe('/api/contact');
    expect(init?.method).toBe('POST');
    expect(new Headers(init?.headers).get('content-type')).toBe('application/json');
    expect(new Headers(init?.headers).get('idempotency-key')).toBe('key-1');
    expect(new Headers(init?.headers).get('x-form-elapsed')).toBe('4322');
    expect(init?.body).toBe(JSON.stringify(enquiry));
    expect(logMock).not.toHaveBeenCalled();
  });

  it('logs the body of an answer that is not OK', async () => {
    fetchMock.mockResolvedValue(Response.json({ code: 'mail_down', message: 'No mail today.' }, { status: 503 }));

    expect(await sendEnquiry(enquiry, filling)).toEqual({ outcome: 'refused', reason: 'No mail today.' });
    expect(logMock).toHaveBeenCalledWith('/api/contact answered 503', {
      code: 'mail_down',
      message: 'No mail today.',
    });
  });

  it('treats an answer that is not OK as refused even when its body is no JSON', async () => {
    fetchMock.mockResolvedValue(new Response('<h1>Bad gateway</h1>', { status: 502 }));

    expect(await sendEnquiry(enquiry, filling)).toEqual({ outcome: 'refused', reason: null });
    expect(logMock).toHaveBeenCalledWith('/api/contact answered 502', null);
  });

  it('takes no page of something in between for a receipt', async () => {
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    fetchMock.mockResolvedValue(new Response('<title>Sign in to the guest network</title>', { headers }));

    expect(await sendEnquiry(enquiry, filling)).toEqual({ outcome: 'refused', reason: null });
    expect(logMock).toHaveBeenCalledWith('/api/contact answered 200', null);
  });

  it('hands on what stands in the field that people do not see', async () => {
    fetchMock.mockResolvedValue(Response.json({}));
    await sendEnquiry(enquiry, { ...filling, trap: 'cheap watches' });
    expect(fetchMock.mock.calls[0]?.[1]?.body).toBe(JSON.stringify({ ...enquiry, leave_this_empty: 'cheap watches' }));
  });

  it('reports and logs a network failure', async () => {
    const failure = new TypeError('Failed to fetch');
    fetchMock.mockRejectedValue(failure);

    expect(await sendEnquiry(enquiry, filling)).toEqual({ outcome: 'failed' });
    expect(logMock).toHaveBeenCalledWith('The enquiry could not be sent', failure);
  });

  it('names every field that breaks a rule and sends nothing', async () => {
    const result = await sendEnquiry({ name: '  ', email: 'robin', message: '\n' }, filling);

    expect(result).toEqual({
      outcome: 'invalid',
      problems: {
        name: 'Full Name is required',
        email: 'Invalid email address',
        message: 'Please tell us how we can help you',
      },
    });
    expect(fetchMock).not.toHaveBeenCalled();
  });

  it('accepts every address that the browser accepts without a dot in its host', async () => {
    fetchMock.mockResolvedValue(Response.json({}));

    expect(await sendEnquiry({ ...enquiry, email: 'robin@intranet' }, filling)).toEqual({ outcome: 'sent' });
  });
});
