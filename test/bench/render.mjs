// What rendering a page costs, without a server and a database: npm run build && node test/bench/render.mjs
// Prints microseconds of CPU per rendering, in the median and in the quickest of many short rounds (what the processor
// takes when nothing else on the machine empties its caches), and the size of the page.
// `node test/bench/render.mjs list 100` measures one kind of page only, for node --cpu-prof.
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { createRenderer } from '../../dist/client-server/entry-server.js';

const ROUNDS = 30;
const ROUND_MS = 80;

const site = {
  name: 'Nimbus IT',
  legalName: 'Nimbus IT LLC',
  url: 'https://site.test',
  phone: '(555) 010-0100',
  email: 'hello@site.test',
  hours: 'Monday to Friday, 8 AM to 6 PM',
  areaRemote: 'Remote support anywhere',
  areaOnsite: 'On-site in Southern California',
  helpDeskUrl: 'https://desk.site.test',
  timeZone: 'America/Los_Angeles',
  partner: { name: null, url: null },
  social: { linkedin: '#', facebook: '#', instagram: '#', x: '#' },
  claims: { founded: true, clients: true, aroundTheClock: true },
  accounts: { url: '/auth/v1' },
  enquiryRetentionDays: 90,
};

const client = new URL('../../dist/client/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', client), 'utf8'));
const readAsset = (name) => readFileSync(new URL(manifest[name].file, client), 'utf8');
const inlineTexts = { style: readAsset('style.css'), firstScript: readAsset('client/before-paint.ts') };
const assets = {
  firstScript: '/assets/first.js',
  scripts: [`/${manifest['client/entry-client.tsx'].file}`],
  styles: ['/assets/style.css'],
  modulePreloads: Array.from({ length: 8 }, (_, index) => `/assets/chunk-${index}.js`),
};

/** Like what the sample posts are: three of four without an image. */
function makePost(index) {
  const id = String(index).padStart(32, '0');
  const renditions = (type) => [480, 960, 1600].map((width) => `/media/${id}-1600x900-${width}.${type} ${width}w`);
  const picture = {
    src: `/media/${id}-1600x900.jpg`,
    width: 1600,
    height: 900,
    sources: ['avif', 'webp'].map((type) => ({ type: `image/${type}`, srcset: renditions(type).join(', ') })),
  };
  return {
    id,
    slug: `how-we-keep-backups-${index}`,
    title: `How we keep backups that can be restored, part ${index}`,
    excerpt:
      'A backup nobody has restored is a hope. What we test every month, and what you can test yourself & today.',
    image_url: index % 4 === 0 ? picture.src : null,
    image_alt: null,
    category: ['Backups', 'Security', 'Devices'][index % 3],
    tags: ['Backups', 'Small business'],
    author: 'Support desk',
    published_date: '2025-01-05T20:00:00.000Z',
    published: { iso: '2025-01-05T20:00:00.000Z', short: 'Jan 5, 2025', long: 'January 5, 2025' },
    picture: index % 4 === 0 ? picture : null,
  };
}

const paragraph =
  '<p>Some <strong>words</strong> about restoring, with a <a href="/contact">link</a> and more of it.</p>';
const detail = {
  ...makePost(1),
  content: `<h2>Why</h2>${paragraph.repeat(40)}`,
  reading_minutes: 4,
  updated_at: '2025-01-05T20:00:00.000Z',
};

async function measure(path, posts) {
  // As the server's service does: cards, and a line for each older post.
  const years = [
    { year: '2024', posts: posts.slice(60, 1000).map(({ slug, title }) => [slug, title, '01-05']), total: 0 },
  ];
  const list = { posts: posts.slice(0, 60), years: posts.length > 60 ? years : [] };
  const services = {
    listPosts: async () => list,
    findListing: async () => null,
    findPost: async () => detail,
    findPreview: async () => null,
  };
  const renderer = createRenderer(services);
  const render = async () => {
    const page = await renderer.load(`http://page${path}`, { site });
    return new Promise((resolve, reject) => {
      let length = 0;
      // Takes what comes as the server's output does: every piece at once.
      const write = (piece) => void (length += Buffer.byteLength(piece));
      const output = { write, end: () => resolve(length), destroy: reject };
      page.render(assets, inlineTexts, output);
    });
  };
  const length = await render();
  const rounds = [];
  for (let round = 0; round <= ROUNDS + 3; round += 1) {
    const startedAt = performance.now();
    const before = process.cpuUsage();
    let count = 0;
    for (; performance.now() - startedAt < ROUND_MS; count += 1) {
      await render();
      // React has something left to do then, as in a server; without it every page would be kept until the end.
      await setImmediate();
    }
    const { user, system } = process.cpuUsage(before);
    // The first ones warm up.
    if (round > 3) rounds.push((user + system) / count);
  }
  rounds.sort((a, b) => a - b);
  return { length, quickest: rounds[0], median: rounds[ROUNDS >> 1] };
}

const kinds = {
  home: '/',
  contact: '/contact',
  post: '/blogs/how-we-keep-backups-1',
  missing: '/no-such-page',
  list: '/blogs',
};
const [only, size] = process.argv.slice(2);
console.log('| page | quickest | median | bytes |\n| --- | --- | --- | --- |');
for (const [kind, path] of Object.entries(kinds)) {
  if (only && only !== kind) continue;
  for (const count of kind === 'list' ? (size ? [Number(size)] : [10, 100, 1000, 10_000]) : [0]) {
    const { quickest, median, length } = await measure(
      path,
      Array.from({ length: count }, (_, index) => makePost(index)),
    );
    console.log(
      `| ${kind}${count ? ` of ${count}` : ''} | ${quickest.toFixed(0)} | ${median.toFixed(0)} | ${length} |`,
    );
  }
}
