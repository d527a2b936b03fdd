import { describe, expect, it } from '@jest/globals';
import { explainListening } from './listening-problem.js';

const place = { host: '192.0.2.1', port: 80 };
const failure = (properties: object) => Object.assign(new Error('refused'), properties);

describe('explainListening', () => {
  it.each([
    [{ code: 'EADDRINUSE', syscall: 'listen' }, 'Port 80 is taken: set PORT to another one.'],
    [{ code: 'EACCES', syscall: 'listen' }, /^Port 80 is not for this user: set PORT to one above 1023/],
    [{ code: 'EADDRNOTAVAIL', syscall: 'bind' }, /^192\.0\.2\.1 is no address .*\(EADDRNOTAVAIL\): set HOST/],
    [{ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: '192.0.2.1' }, /\(ENOTFOUND\): set HOST/],
  ])('names what to set after %j', (properties, message) => {
    expect(explainListening(failure(properties), place)).toMatchObject({
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  });

  it('names the variables of another server by their prefix', () => {
    const explained = explainListening(failure({ code: 'EADDRINUSE' }), { ...place, prefix: 'METRICS_' });
    expect(explained).toMatchObject({ message: 'Port 80 is taken: set METRICS_PORT to another one.' });
  });

  it.each([
    failure({ code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'database' }),
    failure({ code: 'EACCES', syscall: 'open' }),
    failure({}),
    undefined,
  ])('leaves what is about something else as it is: %s', (error) => {
    expect(explainListening(error, place)).toBe(error);
  });
});
