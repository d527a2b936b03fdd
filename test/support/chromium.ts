import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Also imported by test/bench as it stands, without compilation: no imports of other files, no syntax but types.

/** A browser to test with. */
export interface Chromium {
  readonly path: string;
  readonly args: readonly string[];
  /** Variables that the browser needs beside those of this process. */
  readonly env: Readonly<Record<string, string>>;
}

const SYSTEM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** No window, no sandbox (tests may run as root), and nothing that talks to the outside of its own accord. */
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The one inside a package, unpacked on first use: it has no window to draw and takes half of the time. Where that one
 * lacks a library of the system, or is not made for it, the system's own.
 * @throws Error if there is neither
 */
export async function findChromium(): Promise<Chromium> {
  let problem = `it is not made for ${process.platform} on ${process.arch}`;
  if (process.platform === 'linux' && process.arch === 'x64') {
    const folder = await unpackPackagedChromium();
    const path = join(folder, 'chromium');
    const { status, stderr, error } = spawnSync(path, ['--version'], { encoding: 'utf8' });
    if (error) throw error;
    if (status === 0) return { path, args: ARGS, env: { FONTCONFIG_FILE: join(folder, 'fonts.conf') } };
    problem = stderr.trim();
  }
  const system = SYSTEM_PATHS.find((path) => existsSync(path));
  if (system) return { path: system, args: ARGS, env: {} };
  throw new Error(`There is no Chromium here, and the packaged one does not start: ${problem}`);
}

/**
 * The package unpacks into the temporary folder, under a fixed name that only the first user may run and that an
 * interrupted process leaves half written. So it is told of a temporary folder of our own, which becomes valid whole.
 */
async function unpackPackagedChromium(): Promise<string> {
  const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
  const manifest = await readFile(join(modules, '@sparticuz/chromium/package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const folder = join(modules, '.cache', `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(join(modules, '.cache'), { recursive: true });
  const draft = await mkdtemp(`${folder}.`);
  try {
    await unpackInto(draft);
    await writeFile(join(draft, 'fonts.conf'), fontConfiguration(folder));
    await chmod(join(draft, 'chromium'), 0o755);
    await chmod(draft, 0o755);
    // Another process may have been quicker; its folder is as good.
    await rename(draft, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}

/**
 * The browser brings a font, as a server may have none; its own configuration looks for it elsewhere. Its cache is beside
 * its folder: a browser that runs while packages are installed again would leave a folder that has nothing else.
 */
function fontConfiguration(folder: string): string {
  const folders = [join(folder, 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts'];
  const list = folders.map((path) => `<dir>${path}</dir>`).join('');
  return `<?xml version="1.0"?>\n<fontconfig>${list}<cachedir>${folder}-fonts</cachedir></fontconfig>\n`;
}

async function unpackInto(folder: string): Promise<void> {
  const script = "import('@sparticuz/chromium').then(({ default: chromium }) => chromium.executablePath())";
  const child = spawn(process.execPath, ['-e', script], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error('The packaged Chromium could not be unpacked.');
}
