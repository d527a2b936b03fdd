import { describe, expect, it } from '@jest/globals';
import type { Finding } from '../doctor/doctor.service.js';
import { ageWords, sinceWords, toAttention } from './office-words.js';

const now = new Date('2026-11-23T18:00:00Z');
const context = { now, timeZone: 'America/Los_Angeles' };
const finding = (check: string, level: Finding['level'], rest: Partial<Finding> = {}): Finding => ({
  check,
  level,
  message: 'smtp.internal at 10.0.0.8 does not take us, secret in /srv/data',
  advice: 'Correct SMTP_URL.',
  ...rest,
});
const titles = (...findings: Finding[]) => toAttention(findings, context).map(({ title }) => title);

describe('what doctor found, in words for the office', () => {
  it.each([
    ['2026-11-23T17:12:00Z', '9:12 AM'],
    ['2026-11-23T07:59:00Z', 'Sunday'],
    ['2026-11-18T18:00:00Z', 'Wednesday'],
    ['2026-11-17T17:00:00Z', 'November 17'],
  ])('names the moment %s by the clock of the site', (iso, words) => {
    expect(sinceWords(iso, context)).toBe(words);
  });

  it('counts days in words', () => {
    expect(ageWords(new Date('2026-11-14T17:00:00Z'), now)).toBe('nine days');
    expect(ageWords(new Date('2026-11-22T17:00:00Z'), now)).toBe('one day');
    expect(ageWords(new Date('2026-10-04T17:00:00Z'), now)).toBe('50 days');
    // A clock that was set back.
    expect(ageWords(new Date('2026-11-25T17:00:00Z'), now)).toBe('no days');
  });

  it('says since when mail is not delivered, once, and how old the backup is', () => {
    const since = '2026-11-17T20:00:00Z';
    const found = [
      finding('queue', 'fail', { since }),
      finding('mail', 'fail'),
      finding('backup', 'warn', { since: '2026-11-14T17:00:00Z' }),
    ];
    expect(titles(...found)).toEqual(['Mail cannot be delivered since Tuesday', 'The last backup is nine days old']);
    expect(titles(finding('mail', 'ok'), finding('queue', 'warn', { since }))).toEqual([
      'Mail has been waiting since Tuesday',
    ]);
    expect(titles(finding('mail', 'fail'), finding('backup', 'warn'))).toEqual([
      'Mail cannot be delivered at the moment',
      'No backup has been made yet',
    ]);
  });

  it('sends nobody to make a backup where none can be made', () => {
    expect(toAttention([finding('backup', 'warn', { hasObstacle: true })], context)).toEqual([
      {
        check: 'backup',
        is_urgent: false,
        title: 'No backup can be made',
        advice: 'The user of the server cannot write their folder. Tell whoever runs the server.',
        command: 'npm run cli -- doctor',
      },
    ]);
  });

  it('tells nothing of hosts, folders and people, and nothing that is for operators alone', () => {
    const checks = [
      'mail',
      'mail-budget',
      'queue',
      'backup',
      'disk',
      'storage',
      'images',
      'public-url',
      'clock',
      'admin-factors',
    ];
    const all = toAttention(
      [...checks, 'database'].map((check) => finding(check, 'fail')),
      context,
    );
    expect(all.map(({ check }) => check).sort()).toEqual(
      ['database', ...checks.filter((check) => check !== 'queue')].sort(),
    );
    expect(JSON.stringify(all)).not.toMatch(/internal|10\.0|srv|secret/);
    expect(all.every(({ is_urgent: isUrgent }) => isUrgent)).toBe(true);
    const operators = ['public-url', 'storage', 'clock', 'node', 'encryption'].map((check) => finding(check, 'warn'));
    expect(toAttention(operators, context)).toEqual([]);
    expect(
      toAttention(
        checks.map((check) => finding(check, 'ok')),
        context,
      ),
    ).toEqual([]);
  });
});
