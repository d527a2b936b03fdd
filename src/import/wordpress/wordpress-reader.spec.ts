import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PROPERTY_SEED } from '../../../test/support/property-seed.js';
import { noTexts, readSource, settings, summarize, withFile } from '../../../test/support/post-source.js';
import { fewOf } from '../../../test/support/slow-tests.js';
import type { SourceItem, SourcePost } from '../source-post.js';
import { openWordPress } from './wordpress-reader.js';

const sample = new URL('../../../test/fixtures/wordpress/export.xml', import.meta.url).pathname;
const read = (content: string | Uint8Array) =>
  withFile('export.xml', content, (path) => readSource(openWordPress(path, settings)));

const head =
  '<?xml version="1.0"?><rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><link>https://a.example</link>';
const post = (id: string, more = '') =>
  `<item><title>T${id}</title><link>https://a.example/t${id}/</link><content:encoded><![CDATA[Text]]></content:encoded>` +
  `<wp:post_id>${id}</wp:post_id><wp:post_date>2024-01-01 10:00:00</wp:post_date><wp:status>publish</wp:status>${more}</item>`;
const whole = (...items: string[]) => `${head}${items.join('\n')}</channel></rss>`;

describe('openWordPress', () => {
  it('takes pages as posts of a category, with the rules and the addresses of posts, if that is wanted', async () => {
    const page = (id: string, path: string, parent: string, more: string) =>
      `<item><title>T${id}</title><link>https://a.example/${path}</link><content:encoded><![CDATA[<a href="/?page_id=2">Text</a>]]></content:encoded>` +
      `<wp:post_id>${id}</wp:post_id><wp:post_name>team</wp:post_name><wp:post_parent>${parent}</wp:post_parent>` +
      `<wp:post_date>2024-01-01 10:00:00</wp:post_date><wp:post_type>page</wp:post_type>${more}</item>`;
    const content = whole(
      page('1', 'team/', '0', '<wp:status>publish</wp:status>'),
      page('2', 'us/team/', '9', '<wp:status>publish</wp:status><category domain="category" nicename="x">X</category>'),
      page('3', '?page_id=3', '9', '<wp:status>draft</wp:status>'),
      page('4', 'secret/', '0', '<wp:status>publish</wp:status><wp:post_password>p</wp:post_password>'),
      page('5', 'gone/', '0', '<wp:status>trash</wp:status>'),
    );
    const { items } = await withFile('export.xml', content, (path) =>
      readSource(openWordPress(path, { ...settings, pages: 'Pages' })),
    );
    const posts = items.map((item) => {
      if (!('itemKey' in item)) return Object.values(item) as unknown[];
      return [item.itemKey, item.slug, item.category, item.tags, item.isPublished, item.withheld, item.oldPaths];
    });
    expect(posts).toEqual([
      ['1', 'team', 'Pages', null, true, undefined, ['/team/', '/?p=1', '/?page_id=1']],
      ['2', 'us-team', 'Pages', ['X'], true, undefined, ['/us/team/', '/?p=2', '/?page_id=2']],
      ['3', 'team', 'Pages', null, false, 'is a draft there', ['/?p=3', '/?page_id=3']],
      ['4', 'team', 'Pages', null, false, 'is protected by a password there', ['/secret/', '/?p=4', '/?page_id=4']],
      ['export.xml: T5 (5)', 'in the trash of the site that it comes from'],
    ]);
    expect((items[0] as SourcePost).html).toContain('href="/blogs/us-team"');
  });

  it('takes the addresses that a post had under other names and at other dates, and those of its further pages', async () => {
    const field = (key: string, value: string) =>
      `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value>${value}</wp:meta_value></wp:postmeta>`;
    const at = (id: string, path: string, text: string, more = '') =>
      post(id, more).replace(`/t${id}/`, path).replace('Text', text);
    const content = whole(
      at(
        '1',
        '/2020/05/01/new/',
        'a<!--nextpage-->b',
        field('_wp_old_slug', 'old') + field('_wp_old_date', '2019-12-31'),
      ),
      at('2', '/2020/05/01/old/', '<a href="https://a.example/2020/05/01/former/">x</a>', field('_wp_old_slug', 'new')),
      at('3', '/2020/05/01/third/', 'c', field('_wp_old_slug', 'former') + field('_wp_old_slug', 'a/b')),
      at('4', '/2020/05/01/fourth/', 'd', field('_wp_old_slug', 'former') + field('_wp_old_date', 'once')),
    );
    const items = (await read(content)).items as SourcePost[];
    expect(items.map(({ oldPaths }) => oldPaths)).toEqual([
      ['/2020/05/01/new/', '/?p=1', '/2020/05/01/new/2/', '/2019/12/31/new/', '/2019/12/31/old/'],
      ['/2020/05/01/old/', '/?p=2'],
      ['/2020/05/01/third/', '/?p=3', '/2020/05/01/former/'],
      ['/2020/05/01/fourth/', '/?p=4'],
    ]);
    expect(items[1]?.html).toContain('href="/blogs/t3"');
  });

  it('says when a post was saved last, what has no date, and what is not taken of lists', async () => {
    const saved = (id: string, times: string) =>
      post(id, times).replace('<wp:post_date>2024-01-01 10:00:00</wp:post_date>', '');
    const at = (name: string, time: string) => `<wp:${name}>${time}</wp:${name}>`;
    const zero = '0000-00-00 00:00:00';
    const term = (kind: string, id: number, about: string) =>
      `<wp:${kind}><wp:term_id>${id}</wp:term_id><wp:${kind}_description><![CDATA[${about}]]></wp:${kind}_description></wp:${kind}>`;
    const content = whole(
      saved(
        '1',
        at('post_date_gmt', '2024-01-02 03:04:05') +
          at('post_modified', zero) +
          at('post_modified_gmt', '2024-05-06 07:08:09'),
      ),
      saved(
        '2',
        at('post_date_gmt', '-0001-11-30 00:00:00') +
          at('post_modified', '2024-05-06 07:08:09') +
          at('post_modified_gmt', zero),
      ),
      saved('3', at('post_date_gmt', '2024-01-02 03:04:05') + at('post_modified_gmt', 'some day')),
    ).replace('<item>', `${term('category', 1, 'About')}${term('category', 2, ' ')}${term('tag', 1, 'On')}<item>`);
    const { items } = await read(content);
    expect(items.map((item) => ('savedAt' in item ? item.savedAt?.toISOString() : item))).toEqual([
      '2024-05-06T07:08:09.000Z',
      '2024-05-06T14:08:09.000Z',
      expect.not.objectContaining({ refusal: expect.anything() }),
    ]);
    expect(
      items.map((item) =>
        'html' in item ? [item.warnings.includes('no date in the export: dated today'), item.fileNotes] : item,
      ),
    ).toEqual([
      [false, ['descriptions of categories and tags were not taken: 2']],
      [true, undefined],
      [false, undefined],
    ]);
  });

  it('shows reusable blocks that readers see, where posts show them', async () => {
    const block = (id: string, text: string, more = '<wp:status>publish</wp:status>') =>
      `<item><title>B</title><content:encoded><![CDATA[${text}]]></content:encoded><wp:post_id>${id}</wp:post_id>` +
      `<wp:post_type>wp_block</wp:post_type>${more}</item>`;
    const shown = [50, 51, 52, 53].map((id) => `<!-- wp:block {"ref":${id}} /-->`).join('');
    const content = whole(
      post('1').replace('Text', `<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph -->${shown}`),
      block(
        '50',
        '<!-- wp:paragraph --><p>Call <strong>us</strong></p><!-- /wp:paragraph --><!-- wp:block {"ref":51} /-->',
      ),
      block('51', '<!-- wp:paragraph --><p>inside</p><!-- /wp:paragraph --><!-- wp:block {"ref":51} /-->'),
      block('52', '<p>not yet</p>', '<wp:status>draft</wp:status>'),
      block('53', '<p>with a word</p>', '<wp:status>publish</wp:status><wp:post_password>w</wp:post_password>'),
    );
    const [first, second] = (await read(content)).items as SourcePost[];
    expect(first?.html.replace(/\s+/g, ' ').replace(/(?:<p>inside<\/p> ?)+/g, '…')).toBe(
      '<p>a</p><p>Call <strong>us</strong></p>…',
    );
    expect(first?.warnings).toEqual([
      'reusable blocks that the file does not have, or readers do not see, were left out: 52, 53',
    ]);
    expect(second).toMatchObject({ skipped: 'a reusable block, which comes with the posts that show it, not a post' });
  });

  it('shows reusable blocks whatever else posts say of them, with the words that a post has in them', async () => {
    const named = (name: string, words: string) =>
      `<!-- wp:paragraph {"metadata":{"name":"${name}","bindings":{"__default":{"source":"core/pattern-overrides"}}}} --><p class="x">${words}</p><!-- /wp:paragraph -->`;
    const picture = `<!-- wp:image {"metadata":{"name":"Pic"}} --><figure><img src="https://a.example/1.png"></figure><!-- /wp:image -->`;
    const block =
      `<item><content:encoded><![CDATA[${named('Who', 'all of <em>us</em>')}${named('When', 'always')}${picture}]]></content:encoded>` +
      '<wp:post_id>50</wp:post_id><wp:post_type>wp_block</wp:post_type><wp:status>publish</wp:status></item>';
    const shown =
      '<!-- wp:block {"ref":50,"lock":{"move":true,"remove":false}} /-->' +
      '<!-- wp:block {"ref":50,"content":{"Who":{"content":"only <b>me</b>"},"Pic":{"url":"https://a.example/2.png","alt":"x"}}} /-->' +
      '<!-- wp:block {"ref":50,"content":{"When":{"values":{"content":"now"}}}} /--><!-- wp:block {"slug":"x"} /-->';
    const [first] = (await read(whole(post('1').replace('Text', shown), block))).items as SourcePost[];
    expect(first?.html.replace(/<figure>[^]*?<\/figure>/g, '')).toBe(
      '<p class="x">all of <em>us</em></p><p class="x">always</p><p class="x">only <b>me</b></p><p class="x">always</p>' +
        '<p class="x">all of <em>us</em></p><p class="x">now</p>',
    );
    expect(first?.warnings).toEqual([
      'what it has in a reusable block instead of what all share was not taken: Pic (url, alt)',
      'reusable blocks that the file does not have, or readers do not see, were left out: one without a number',
    ]);
  });

  it('tells posts apart whose names have other letters than those from a to z, and drafts without a name', async () => {
    const named = (id: string, name: string, more = '') =>
      post(id, `<wp:post_name>${encodeURIComponent(name).toLowerCase()}</wp:post_name>${more}`);
    const draft = (id: string) =>
      post(id)
        .replace(/<title>.*?<\/title>/, '<title>Idea</title>')
        .replace('publish', 'draft');
    const content = whole(
      named('1', 'обзор-iphone'),
      named('2', 'план-iphone').replace('Text', '<a href="/t1/">one</a> <a href="/t3/">three</a>'),
      named('3', 'привет'),
      named('4', 'iphone'),
      draft('5'),
      draft('6'),
      named('7', 'b-2').replace('Text', '<a href="/?p=2">two</a>'),
    );
    const { items } = await read(content);
    const posts = items as SourcePost[];
    expect(posts.map(({ slug }) => slug)).toEqual(['iphone-1', 'iphone-2', 't3', 'iphone', 'idea', 'idea-6', 'b-2']);
    expect(posts[1]?.html).toBe('<p><a href="/blogs/iphone-1">one</a> <a href="/blogs/t3">three</a></p>');
    expect(posts[6]?.html).toBe('<p><a href="/blogs/iphone-2">two</a></p>');
    expect(posts[1]?.warnings).toEqual([
      'with its letters from a to z alone it would have the address of another post: its address is iphone-2',
    ]);
    expect((await read(content)).items).toEqual(items);
  });

  it('calls a post without a title as its text begins', async () => {
    const untitled = (id: string, text: string) =>
      post(id).replace(`<title>T${id}</title>`, '<title/>').replace('Text', text);
    const long = 'Copper and glass and everything that is between them, said in one long line';
    const { items } = await read(
      whole(untitled('1', 'Short <b>words</b>\n\nmore'), untitled('2', long), untitled('3', '')),
    );
    const [first, second, third] = items as SourcePost[];
    expect([first?.title, second?.title, third?.title]).toEqual([
      'Short words',
      'Copper and glass and everything that is between them, said…',
      'Post 3',
    ]);
    expect(first?.warnings).toContain("has no title there: it is called 'Short words' here, as its text begins");
  });

  it('reads what plugins tell search engines of addresses and categories, and says what it leaves', async () => {
    const meta = (key: string, value: string) =>
      `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`;
    const categories = ['Wires', 'Plugs']
      .map((name) => `<category domain="category" nicename="x">${name}</category>`)
      .join('');
    const inHead = '<wp:category><wp:term_id>8</wp:term_id><wp:cat_name>Plugs</wp:cat_name></wp:category>';
    const content = whole(
      post(
        '1',
        categories +
          meta('_yoast_wpseo_primary_category', '8') +
          meta('_yoast_wpseo_canonical', 'https://b.example/first'),
      ),
      post(
        '2',
        categories + meta('rank_math_primary_category', '9') + meta('rank_math_canonical_url', 'https://c.example/x'),
      ),
      post(
        '3',
        meta('_yoast_wpseo_meta-robots-noindex', '1') +
          meta('_yoast_wpseo_metadesc', 'Said') +
          '<wp:is_sticky>1</wp:is_sticky>',
      ),
      post('4', meta('rank_math_robots', 'a:1:{i:0;s:7:"noindex";}')),
    );
    const own = content.replace('<channel>', '<channel><generator>it-support-website</generator>');
    const [first, second, third, fourth] = (await read(content.replace('<item>', `${inHead}<item>`)))
      .items as SourcePost[];
    expect([first?.category, first?.tags, first?.named?.canonical_url]).toEqual([
      'Plugs',
      ['Wires'],
      'https://b.example/first',
    ]);
    expect([second?.category, second?.named?.canonical_url]).toEqual(['Wires', 'https://c.example/x']);
    const hidden = 'search engines are told there to leave it out; here they find what is published';
    expect(third?.warnings).toEqual([
      hidden,
      'stands above all others in the list there; here posts stand by their dates',
    ]);
    expect(fourth?.warnings).toEqual([hidden]);
    expect([third?.excerpt, third?.named?.seo_description]).toEqual(['Said', 'Said']);
    const [, , ours] = (await read(own)).items as SourcePost[];
    expect([ours?.excerpt, ours?.named?.seo_description]).toEqual([null, 'Said']);
  });

  it.each([
    [
      'All in One SEO',
      '_aioseo_title',
      '#post_title for all #separator_sa #site_title',
      '_aioseo_description',
      'Of #cables and #post_title',
    ],
    ['All in One SEO before version 4', '_aioseop_title', 'T1 for all', '_aioseop_description', 'Of #cables and T1'],
    [
      'SEOPress',
      '_seopress_titles_title',
      '%%post_title%% for all %%sep%% %%sitetitle%%',
      '_seopress_titles_desc',
      'Of #cables and %%post_title%%',
    ],
    ['The SEO Framework', '_genesis_title', 'T1 for all', '_genesis_description', 'Of #cables and T1'],
  ])('reads what %s tells search engines', async (_plugin, titleKey, title, descriptionKey, description) => {
    const meta = (key: string, value: string) =>
      `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`;
    const said = meta(titleKey, title) + meta(descriptionKey, description);
    const [first] = (await read(whole(post('1', said)))).items as SourcePost[];
    expect(first?.named).toMatchObject({ seo_title: 'T1 for all', seo_description: 'Of #cables and T1' });
    expect(first?.warnings).toEqual([]);
  });

  it('says what previews of links said, and which plugin hides a post from search engines', async () => {
    const meta = (key: string, value: string) =>
      `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`;
    const content = whole(
      post(
        '1',
        meta('_yoast_wpseo_title', 'Same') +
          meta('_yoast_wpseo_opengraph-title', 'Same') +
          meta('_yoast_wpseo_twitter-title', 'Look!') +
          meta('rank_math_facebook_title', '%title% %sep% %sitename%') +
          meta('_aioseo_og_description', 'Look here') +
          meta('_seopress_robots_index', 'yes'),
      ),
    );
    const [first] = (await read(content)).items as SourcePost[];
    expect(first?.warnings).toEqual([
      "what previews of links say was not taken: 'Look!', 'Look here'",
      'search engines are told there to leave it out; here they find what is published',
    ]);
  });

  it('takes links to pages of attachments off pictures, not those to the home page', async () => {
    const attachment =
      '<item><title>L</title><link>https://a.example/?attachment_id=9</link><wp:post_id>9</wp:post_id>' +
      '<wp:post_type>attachment</wp:post_type><wp:attachment_url>https://a.example/l.png</wp:attachment_url></item>';
    const linked = (address: string) => `<p><a href="${address}"><img src="https://a.example/l.png"></a></p>`;
    const text = linked('https://a.example/?attachment_id=9') + linked('https://a.example/');
    const { items } = await read(whole(post('1').replace('Text', text), attachment));
    expect((items[0] as SourcePost).html.replace(/>\s+</g, '><')).toBe(
      '<p><img src="https://a.example/l.png"></p><p><a href="https://a.example/"><img src="https://a.example/l.png"></a></p>',
    );
  });

  it('keeps what the old site missed to publish, and plans what is planned for a time after its export', async () => {
    const planned = (id: string, date: string) =>
      post(id).replace('2024-01-01 10:00:00', date).replace('>publish<', '>future<');
    const content = whole(planned('1', '2024-01-01 10:00:00'), planned('2', '2024-03-01 10:00:00'));
    const told = content.replace('</link>', '</link><pubDate>Thu, 01 Feb 2024 10:00:00 +0000</pubDate>');
    const [missed, later] = (await read(told)).items as SourcePost[];
    expect(missed).toMatchObject({
      isPublished: false,
      withheld: 'was not published there, though its time had come',
    });
    expect(missed?.scheduledAt).toBeUndefined();
    expect(later?.scheduledAt?.toISOString()).toBe('2024-03-01T18:00:00.000Z');
    const [unknown] = (await read(content)).items as SourcePost[];
    expect(unknown?.scheduledAt?.toISOString()).toBe('2024-01-01T18:00:00.000Z');
  });

  it('says of an address that it is no site of its own', async () => {
    const identify = (address: string) =>
      withFile('export.xml', whole(post('1')).replaceAll('https://a.example', address), async (path) =>
        (await openWordPress(path, settings)).identify(),
      );
    expect(await identify('http://127.0.0.1:8080')).toEqual({
      name: null,
      isNeeded: true,
      hint: "its address is http://127.0.0.1:8080, which is no site's own",
    });
    expect(await identify('https://b.example')).toEqual({ name: 'b.example', isNeeded: true });
  });

  it('reads everything that a post has', async () => {
    const { items, error } = await readSource(openWordPress(sample, settings));
    expect(error).toBeNull();
    expect(items.map(summarize)).toEqual([
      'export.xml: Backups & you (11) | wordpress:cables.example/11',
      'export.xml: Blocks (12) | wordpress:cables.example/12',
      'export.xml: 予定 (13) | wordpress:cables.example/13',
      'export.xml: Members only (14) | wordpress:cables.example/14',
      'export.xml: Gone (15) | skipped: in the trash of the site that it comes from',
      'export.xml: About us (16) | skipped: a page of the site, not a post',
      "export.xml: A widget (17) | skipped: of the type 'constructor', not a post",
      'export.xml: tape (21) | skipped: a file of the media library, not a post',
      'export.xml: disk (22) | skipped: a file of the media library, not a post',
    ]);
    const [first, second, third, fourth] = items as SourcePost[];
    expect(first).toEqual({
      file: 'export.xml: Backups & you (11)',
      itemKey: '11',
      formerKeys: ['wordpress:cables.example/11'],
      title: 'Backups & you',
      slug: 'backups-and-you',
      excerpt: 'Why two copies are one.',
      author: 'Inés Marín, Otto Lund',
      category: 'News',
      tags: ['Backup', 'How-to'],
      image: { address: 'https://cables.example/wp-content/uploads/tape.jpg', alt: 'A "tape"' },
      named: { ...noTexts, seo_description: 'Why two copies are one.' },
      date: new Date('2024-05-02T08:00:00Z'),
      createdAt: new Date('2024-05-02T08:00:00Z'),
      isPublished: true,
      html: expect.any(String),
      folder: '',
      baseUrl: 'https://cables.example/2024/05/backups-and-you/',
      oldPaths: ['/2024/05/backups-and-you/', '/?p=11'],
      oldLists: [
        { kind: 'category', name: 'News', path: '/category/news/' },
        { kind: 'category', name: 'How-to', path: '/category/howto/' },
        { kind: 'tag', name: 'Backup', path: '/tag/backup/' },
      ],
      warnings: [
        "has more than one category: 'How-to' became tags",
        "'Basics' (series) is neither a category nor a tag and was not taken",
        'pictures of a gallery are not in the file: 99',
        'the tag [contact-form] was left in the text (once)',
        'the file https://cables.example/talk.mp3 that belongs to it is played at its end',
        'leads to pages of the old site that are no posts: /x',
      ],
      comments: { taken: [], left: { 'not asked for (--comments takes them)': 1, spam: 1 } },
    });
    expect(first?.html).toBe(
      [
        '<p>First line<br>\nsecond line of the same paragraph.</p>\n<figure><a href="https://cables.example/x">' +
          '<img src="https://cables.example/wp-content/uploads/tape-300x200.jpg" alt="A tape" /></a>' +
          '<figcaption>A tape, <em>rewound</em></figcaption></figure>',
        '<pre>keep\nthese\n\nlines [gallery]</pre>',
        '<figure class="ql-width-grid"><img src="https://cables.example/wp-content/uploads/tape.jpg" alt="A &quot;tape&quot;"></figure>',
        '<figure class="ql-width-grid"><img src="https://cables.example/disk.png?a=1&amp;b=2" alt=""></figure>',
        '<iframe src="https://www.youtube-nocookie.com/embed/abcdefghijk" title="YouTube video"></iframe>' +
          '<p>[contact-form to="x"] and a word in [brackets].</p>',
        '<audio class="ql-player" src="https://cables.example/talk.mp3"></audio>',
      ].join('\n'),
    );
    expect(second).toMatchObject({
      slug: 'blocks',
      excerpt: 'In short 🙂',
      author: 'Otto Lund',
      category: null,
      tags: null,
      image: null,
      date: undefined,
      createdAt: new Date('2024-06-02T17:00:00Z'),
      isPublished: false,
      oldPaths: ['/?p=12'],
      warnings: ["the block 'latest-posts' has no text of its own in the file and was left out (once)"],
    });
    expect(second?.html.replace(/\s*\n\s*/g, ' ')).toBe(
      '<p>One line.</p> <figure class="wp-block-embed"><div class="wp-block-embed__wrapper"> ' +
        '<iframe src="https://player.vimeo.com/video/12345" title="Vimeo video"></iframe> </div></figure> ' +
        '<audio class="ql-player" src="https://cables.example/a%20b.mp3"></audio> ' +
        '<p>Beside<br> the blocks</p>',
    );
    const soon = new Date('2099-01-01T08:00:00Z');
    expect(third).toMatchObject({
      slug: 'post-13',
      author: 'someone',
      date: soon,
      scheduledAt: soon,
      isPublished: false,
    });
    expect(third?.warnings).toHaveLength(3);
    expect(third?.oldPaths).toEqual(['/%e4%ba%88/', '/?p=13']);
    expect(fourth).toMatchObject({ slug: 'members', isPublished: false, oldPaths: ['/members/', '/?p=14'] });
  });

  it('leads links between posts to where they are, also to later ones and by their number', async () => {
    const links =
      '<a href="https://www.a.example/t2/#x">b</a><a href="/?p=2">c</a><a href="/?p=9">d</a><code>/?p=2</code>' +
      '<a href="https://b.example/t2/">e</a>';
    const first = post('1').replace('CDATA[Text', `CDATA[${links}`);
    const { items } = await read(whole(first, post('2', '<wp:post_name>two</wp:post_name>')));
    expect(items).toMatchObject([
      {
        html: expect.stringContaining(
          '<a href="/blogs/two#x">b</a><a href="/blogs/two">c</a><a href="/?p=9">d</a><code>/?p=2</code><a href="https://b.example/t2/">',
        ) as unknown,
        warnings: ['leads to pages of the old site that are no posts: /?p=9'],
        oldPaths: ['/t1/', '/?p=1'],
      },
      { slug: 'two' },
    ]);
    const inFolder = whole(post('1')).replace('<link>https://a.example<', '<link>https://a.example/blog<');
    expect((await read(inFolder)).items).toMatchObject([{ oldPaths: ['/t1/', '/blog/?p=1'] }]);
  });

  it('reads other encodings that say so, and refuses those it does not know', async () => {
    const title = '<item><title>Grüße – €</title><wp:post_id>1</wp:post_id><wp:status>draft</wp:status></item>';
    const text = whole(title).replace('?>', ' encoding="ENC"?>');
    const bom = String.fromCharCode(0xfeff);
    const windows = Buffer.from(
      text
        .replace('ENC', 'ISO-8859-1')
        .replaceAll('–', String.fromCharCode(0x96))
        .replaceAll('€', String.fromCharCode(0x80)),
      'latin1',
    );
    for (const bytes of [
      Buffer.from(text.replace('ENC', 'utf-8')),
      Buffer.from(bom + text.replace('ENC', 'UTF-8')),
      Buffer.from(bom + text.replace('ENC', 'UTF-16'), 'utf16le'),
      Buffer.from(bom + text.replace('ENC', 'UTF-16'), 'utf16le').swap16(),
      windows,
    ]) {
      const { items, error } = await read(bytes);
      expect([error, items.map(summarize)]).toEqual([null, ['export.xml: Grüße – € (1) | wordpress:a.example/1']]);
    }
    const other = await read(text.replace('ENC', 'Shift_JIS'));
    expect(other.error).toBe('export.xml: is in the encoding Shift_JIS; save it as UTF-8 and try again');
  });

  it.each([
    [
      'an entity bomb',
      '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + whole(post('1')),
      /declares entities/,
    ],
    ['entities far down', whole(post('1'), '<!ENTITY x SYSTEM "file:///etc/passwd">', post('2')), /declares entities/],
    ['another feed', '<rss><channel><item><title>A</title></item></channel></rss>', /no export of WordPress/],
    ['a head that is broken', whole(post('1')).replace('<link>', '<link'), /before the first item cannot be read/],
    ['nothing', '', /is empty/],
  ])('refuses %s as a whole', async (_name, content, error) => {
    const result = await read(content);
    expect(result.error).toMatch(error);
    expect(result.items).toEqual([]);
  });

  const broken = [
    ['deep nesting', '<a>'.repeat(100_000), 'nested more than 50 deep'],
    ['many elements', '<a/>'.repeat(200_001), 'more than 200,000 elements'],
    ['a huge attribute', `<a b="${'x'.repeat(70_000)}"/>`, 'larger than 64 kB'],
    ['many attributes', `<a ${Array.from({ length: 51 }, (_, index) => `a${index}="1"`).join(' ')}/>`, '50 attributes'],
    ['attributes named like methods', '<a hasOwnProperty="1" toString="2" b="3"/>', 'not well-formed'],
    ['an item of 11 MB', `<a>${'x'.repeat(11 * 1024 * 1024)}</a>`, 'larger than 10 MB'],
    ['zero characters', '<a>\0</a>', 'zero characters'],
    ['bytes that are no UTF-8', '<a>\xff\xfe</a>', 'not UTF-8'],
    ['a tag that is not closed', '<a>', 'not well-formed XML: Unexpected close tag'],
    ['no end', '<a></a></item_>', 'never closed'],
    ['a date on no calendar', '<wp:post_date_gmt>2024-02-31 10:00:00</wp:post_date_gmt>', 'on no calendar'],
    ['an id that is none', '<wp:x/>', 'wp:post_id is missing or no number'],
  ] as const;

  it.each(fewOf(broken, ([name]) => name !== 'an item of 11 MB'))(
    'refuses one item with %s and takes the others',
    async (name, more, reason) => {
      const id = name === 'an id that is none' ? '__proto__' : '2';
      const bad = name === 'no end' ? post('2', more).replace('</item>', '') : post(id, more);
      const { items, error } = await read(Buffer.from(whole(post('1'), bad, post('3')), 'latin1'));
      expect(error).toBeNull();
      expect(items.map(summarize)).toEqual([
        'export.xml: T1 (1) | wordpress:a.example/1',
        expect.stringContaining(reason),
        'export.xml: T3 (3) | wordpress:a.example/3',
      ]);
    },
  );

  it('reads entities of HTML and loose signs as people meant them', async () => {
    const { items } = await read(whole(post('1').replace('T1', 'A & B&nbsp;AT&T</title><x>&constructor;</x><title>')));
    expect(items).toEqual([expect.objectContaining({ title: 'A & B AT&T' })]);
  });

  it('gives every complete item of a file that breaks off, wherever it does', async () => {
    const bytes = await readFile(sample);
    const { items } = await readSource(openWordPress(sample, settings));
    const ends = [...bytes.toString('latin1').matchAll(/<\/item>(?! post)/g)].map(({ index }) => index + 6);
    const firstItem = bytes.indexOf('<item>');
    // Attachments that are cut off are missing to the posts before them; all else is as in the whole file.
    const withoutImages = (item: SourceItem) => ({ ...item, image: null, html: '', warnings: [] });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: bytes.indexOf('</channel>') }), async (cut) => {
        const result = await read(bytes.subarray(0, cut));
        expect(result.error).toMatch(/breaks off|is no export of WordPress/);
        expect(result.items).toHaveLength(ends.filter((end) => cut > firstItem && end <= cut).length);
        expect(result.items.map(withoutImages)).toEqual(items.slice(0, result.items.length).map(withoutImages));
      }),
      { numRuns: 100, seed: PROPERTY_SEED },
    );
  });
});
