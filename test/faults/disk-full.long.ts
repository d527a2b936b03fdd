import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import sharp from 'sharp';
import { startSession } from '../support/admin-area.js';
import { runCli } from '../support/cli.js';
import { buildEnquiry } from '../support/enquiries.js';
import { startProcess } from '../support/process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const PASSWORD = 'a lamp on the left';
const SIZE = '220m';
/** Mounts a small disk that only the server sees, moves the data there, and becomes the server. */
const SCRIPT = 'mount -t tmpfs -o size=$SIZE none "$DATA_DIR" && cp -a "$MADE/." "$DATA_DIR" && exec "$@"';

it('a disk that is full for images and the embedded database is named, keeps nothing halves, and works with room', async () => {
  const environment = { NODE_ENV: 'test', DATABASE_URL: 'embedded', LOG_LEVEL: 'silent', PORT: '0' } as const;
  const made = temporaryFolder();
  const created = await runCli(
    ['users', 'create', 'ann@example.com', '--admin'],
    { ...environment, DATA_DIR: made },
    `${PASSWORD}\n`,
  );
  expect(created).toMatchObject({ code: 0 });
  const dataDir = temporaryFolder();
  const variables = { ...environment, DATA_DIR: dataDir, MADE: made, SIZE, CONTACT_RATE_LIMIT_ADDRESS: '0' };
  const namespace = process.getuid?.() === 0 ? ['-m'] : ['-Urm'];
  const server = startProcess(
    [...namespace, 'sh', '-c', SCRIPT, 'sh', process.execPath, 'dist/server.js'],
    variables,
    undefined,
    undefined,
    'unshare',
  );
  const [, url = ''] = await server.waitForOutput(/Listening at (http:\S+)/);
  // The disk as the server sees it.
  const disk = join(`/proc/${server.pid}/root`, dataDir);
  const { access_token: token } = await startSession(url, { id: '', email: 'ann@example.com', password: PASSWORD });
  const media = () => readdirSync(join(disk, 'media'), { recursive: true }).length;

  const enquire = async () => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(buildEnquiry({ message: 'x'.repeat(4_000) }));
    const answer = await fetch(`${url}/api/contact`, { method: 'POST', headers, body });
    return { status: answer.status, body: await answer.text() };
  };
  const upload = async (color: string) => {
    const image = await sharp({ create: { width: 900, height: 600, channels: 3, background: color } })
      .png()
      .toBuffer();
    const body = new FormData();
    body.append('file', new File([new Uint8Array(image)], 'a.png', { type: 'image/png' }));
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/api/uploads`, { method: 'POST', headers, body });
    return { status: answer.status, body: await answer.text() };
  };

  expect((await enquire()).status).toBe(200);
  expect((await upload('teal')).status).toBe(201);
  const before = media();
  const filler = join(disk, 'filler');
  const fill = () => {
    const { bavail, bsize } = statfsSync(disk);
    try {
      writeFileSync(filler, Buffer.alloc(bavail * bsize + 1), { flag: 'a' });
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
    }
  };
  fill();
  const image = await upload('olive');
  expect(image).toMatchObject({ status: 507, body: expect.stringContaining('disk_full') });
  expect(media()).toBe(before);
  // Until the pages and the log that are there already are used up, enquiries find room, and are kept.
  let kept = 1;
  await until(async () => {
    fill();
    const { status } = await enquire();
    kept += status === 200 ? 1 : 0;
    return status !== 200;
  });
  for (let time = 0; time < 20; time += 1) {
    const answer = await enquire();
    if (answer.status === 200) kept += 1;
    else expect(answer).toMatchObject({ status: 507, body: expect.stringContaining('disk_full') });
  }
  expect((await fetch(`${url}/`)).status).toBe(200);

  rmSync(filler);
  await until(async () => (await enquire()).status === 200);
  kept += 1;
  await until(async () => (await upload('navy')).status === 201);
  const list = await fetch(`${url}/api/admin/enquiries`, { headers: { authorization: `Bearer ${token}` } });
  expect(list.status).toBe(200);
  expect(kept).toBeGreaterThan(2);
  expect(await server.stop()).toMatchObject({ code: 0 });
});
