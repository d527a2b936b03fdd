import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Config } from '../config/config.js';
import type { Finding } from '../doctor/doctor.service.js';
import { Clock } from '../shared/clock.js';
import { SiteHealthService } from './site-health.service.js';

const config = { site: { timeZone: 'America/Los_Angeles' } } as Config;
const bad: Finding = { check: 'mail', level: 'fail', message: '', advice: '' };

function createHealth() {
  const health = new SiteHealthService(config, new Clock());
  const ends: ((findings: readonly Finding[]) => void)[] = [];
  const examine = jest.spyOn(health, 'examine');
  examine.mockImplementation(() => new Promise((resolve) => ends.push(resolve)));
  return { health, ends, examine };
}

describe('what is known of the state of the site', () => {
  it('is looked for once, however many ask, and held back by nothing that hangs', async () => {
    jest.useFakeTimers();
    const { health, ends, examine } = createHealth();
    const asked = Promise.all([health.read(), health.read(), health.read()]);
    await jest.advanceTimersByTimeAsync(1500);
    const unknown = { checked_at: null, is_running: true, items: [] };
    expect(await asked).toEqual([unknown, unknown, unknown]);
    expect(examine).toHaveBeenCalledTimes(1);
    ends[0]?.([bad]);
    await jest.advanceTimersByTimeAsync(0);
    expect(await health.read()).toMatchObject({ is_running: false, items: [{ check: 'mail', is_urgent: true }] });
    expect(examine).toHaveBeenCalledTimes(1);

    // Well or not, it is not looked for at every call; what is wrong is looked for again soon.
    await jest.advanceTimersByTimeAsync(29_000);
    expect(await health.read()).toMatchObject({ is_running: false });
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await health.read()).toMatchObject({ is_running: true, items: [{ check: 'mail' }] });
    ends[1]?.([]);
    await jest.advanceTimersByTimeAsync(0);
    expect(await health.read()).toMatchObject({ is_running: false, items: [] });
    await jest.advanceTimersByTimeAsync(299_000);
    expect(await health.read()).toMatchObject({ is_running: false });
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await health.read()).toMatchObject({ is_running: true });
    ends[2]?.([bad]);
    await jest.advanceTimersByTimeAsync(0);
    examine.mockClear();

    // Old findings are shown while new ones are looked for, also where these never come.
    await jest.advanceTimersByTimeAsync(301_000);
    expect(await health.read()).toMatchObject({ is_running: true, items: [{ check: 'mail' }] });
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(await health.read()).toMatchObject({ is_running: true, items: [{ check: 'mail' }] });
    expect(examine).toHaveBeenCalledTimes(2);
    jest.useRealTimers();
  });

  it('is an error where nothing could be found out', async () => {
    const { health, examine } = createHealth();
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    examine.mockRejectedValue(new Error('broken'));
    await expect(health.read()).rejects.toThrow('broken');
  });
});
