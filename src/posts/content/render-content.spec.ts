import { describe, expect, it } from '@jest/globals';
import { isEmptyContent, readingMinutes, toPlainText } from './plain-text.js';
import { RenderCache } from './render-cache.js';
import { renderContent as renderWithTime } from './render-content.js';
import { sanitizeContent } from './sanitize-content.js';

const name = `${'0123456789abcdef'.repeat(2)}-1000x500.jpg`;

const siteUrl = 'https://own.example';
const renderContent = async (html: string, publicBase: string | undefined) =>
  (await renderWithTime(html, { siteUrl, publicBase })).html;

describe('renderContent', () => {
  it('turns hosted images into pictures with every rendition and their size', async () => {
    const html = await renderContent(`<p><img src="/media/${name}" alt="A &quot;b&quot;"></p>`, undefined);
    expect(html).toMatch(/^<p><picture><source type="image\/avif" srcset="\/media\/\S+-480\.avif 480w, [^"]+" sizes="/);
    expect(html).toContain('<source type="image/webp"');
    expect(html).toContain(
      `<img src="/media/${name}" alt="A &quot;b&quot;" width="1000" height="500" loading="lazy" decoding="async">`,
    );
  });

  it('asks for as many pixels as a figure is wide', async () => {
    const image = `<img src="/media/${name}" alt="">`;
    const figure = (width: string) => `<figure class="ql-width-${width}">${image}<figcaption>b</figcaption></figure>`;
    const html = await renderContent(`${image}${figure('wide')}${figure('full')}${image}`, undefined);
    expect([...html.matchAll(/<source type="image\/avif"[^>]* sizes="([^"]*)"/g)].map(([, sizes]) => sizes)).toEqual([
      '(min-width: 800px) 720px, 100vw',
      '(min-width: 1100px) 1040px, 100vw',
      '100vw',
      '(min-width: 800px) 720px, 100vw',
    ]);
    expect(html.match(/<img /g)).toHaveLength(4);
  });

  it('puts pictures of a gallery into one grid, and leaves what stands between', async () => {
    const figure = '<figure class="ql-width-grid"><img src="a" alt=""></figure>';
    const shown = figure.replace('alt=""', 'alt="" loading="lazy" decoding="async"');
    const nested = `<figure class="ql-width-grid"><figcaption>${figure}</figcaption></figure>`;
    expect(await renderContent(`${figure}\n${figure}<p>a</p>${figure}${nested}`, undefined)).toBe(
      `<div class="gallery">${shown}\n${shown}</div><p>a</p><div class="gallery">${shown}</div>` +
        nested.replace(figure, `<div class="gallery">${shown}</div>`),
    );
    const long = figure.replace('alt=""', `alt="${'x'.repeat(50_000)}"`).repeat(5);
    expect((await renderContent(long, undefined)).match(/class="gallery"/g)).toHaveLength(1);
  });

  it('names the bucket when browsers read it directly', async () => {
    const html = await renderContent(`<img src="/media/${name}" alt="">`, 'https://cdn.example/b');
    expect(html).toContain(`<img src="https://cdn.example/b/${name}"`);
    expect(html).not.toContain('/media/');
  });

  it('keeps the proportions when the author gave a size', async () => {
    const html = await renderContent(`<img src="/media/${name}" alt="" width="300" height="300">`, undefined);
    expect(html).toContain('width="300" height="150"');
  });

  it('leads to images of other sites, which no browser would show', async () => {
    const remote = (alt: string) => `<img src="https://a.example/x.png?a=1&amp;b" alt="${alt}" width="3">`;
    const link = (words: string) => `<a href="https://a.example/x.png?a=1&amp;b">${words}</a>`;
    expect(await renderContent(`<p>${remote('A &lt;b&gt;')} and ${remote('')}</p>`, undefined)).toBe(
      `<p>${link('A &lt;b&gt;')} and ${link('Picture on a.example')}</p>`,
    );
    expect(await renderContent(`<p><a href="/x">${remote('Here')}</a>${remote('There')}</p>`, undefined)).toBe(
      `<p><a href="/x">Here</a>${link('There')}</p>`,
    );
  });

  it.each(['https://own.example/logo.png', 'https://cdn.example/b/logo.png'])(
    'shows %s, which is ours',
    async (src) => {
      expect(await renderContent(`<img src="${src}" alt="x">`, 'https://cdn.example/b')).toBe(
        `<img src="${src}" alt="x" loading="lazy" decoding="async">`,
      );
    },
  );

  it('names a table whose long words do not fit on paper, and no other', async () => {
    const tableOf = (word: string) => `<table><tbody><tr>${`<td>${word}</td>`.repeat(4)}</tr></tbody></table>`;
    const [fits, isTooWide] = ['Some words that go on, and long-term-notes. '.repeat(9), 'Netzwerkverbindungsproblem'];
    const html = await renderContent(tableOf(fits) + tableOf(isTooWide) + tableOf('x'), undefined);
    expect(html.match(/class="table[^"]*"/g)).toEqual([
      'class="table-scroll"',
      'class="table-scroll table-crowded"',
      'class="table-scroll"',
    ]);
  });

  it('shows a table with more words in a cell than a function can be given', async () => {
    const html = `<table><tbody><tr><td>${'word '.repeat(140_000)}</td></tr></tbody></table>`;
    expect(await renderContent(html, undefined)).toBe(
      `<div class="table-scroll" role="group" aria-label="Table" tabindex="0">${html}</div>`,
    );
  });

  it('lets outer tables and code scroll, by keyboard too', async () => {
    const table = '<table><tbody><tr><td><table><tbody><tr><td>x</td></tr></tbody></table></td></tr></tbody></table>';
    expect(await renderContent(`${table}<pre><code>x</code></pre>`, undefined)).toBe(
      `<div class="table-scroll" role="group" aria-label="Table" tabindex="0">${table}</div><pre tabindex="0"><code>x</code></pre>`,
    );
  });
});

describe('formulas', () => {
  const formula = (source: string) => `<span class="ql-formula" data-value="${source}">${source}</span>`;

  it('are drawn as MathML that carries its source', async () => {
    const html = await renderContent(`<p>${formula('a &lt; b^2')}</p>`, undefined);
    expect(html).toMatch(/^<p><span class="ql-formula" data-value="a &lt; b\^2"><span class="katex"><math /);
    expect(html).toContain('<annotation encoding="application/x-tex">a &lt; b^2</annotation>');
    expect(html).toContain('<mo>&lt;</mo>');
  });

  it.each([
    ['\\frac{1', 'unfinished'],
    ['\\def\\a{\\a\\a}\\a', 'endless'],
    ['x'.repeat(2001), 'too long'],
  ])('show their source when they are none: %s is %s', async (source) => {
    expect(await renderContent(formula(source), undefined)).toBe(formula(source));
  });

  it.each(['\\href{javascript:alert(1)}{x}', '\\includegraphics{https://a.example/x}', '\\htmlStyle{color:red}{x}'])(
    'neither link nor load nor style: %s',
    async (source) => {
      expect(await renderContent(formula(source), undefined)).not.toMatch(/<a |<img|href=|style=/);
    },
  );

  it('hold no markup of their author', async () => {
    const html = await renderContent(formula('\\text{&lt;img src=x onerror=alert(1)&gt;}'), undefined);
    expect(html).not.toContain('<img');
  });
});

describe('code', () => {
  it('is colored in its language, under any of its names', async () => {
    const colored = '<span class="hljs-keyword">if</span> (a &lt; <span class="hljs-number">1</span>)';
    for (const name of ['javascript', 'js', 'jsx']) {
      expect(await renderContent(`<pre><code class="language-${name}">if (a &lt; 1)</code></pre>`, undefined)).toBe(
        `<pre tabindex="0"><code class="language-${name}">${colored}</code></pre>`,
      );
    }
  });

  it.each([
    ['of no language', '', 'if (a)'],
    ['of an unknown one', ' class="language-klingon"', 'if (a)'],
    ['that is very long', ' class="language-js"', 'if '.repeat(7000)],
  ])('%s stays plain', async (_what, attribute, text) => {
    const html = `<code${attribute}>${text}</code></pre>`;
    expect(await renderContent(`<pre>${html}`, undefined)).toBe(`<pre tabindex="0">${html}`);
  });
});

describe('videos', () => {
  it.each([
    ['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'YouTube'],
    ['https://player.vimeo.com/video/12?h=ab', 'https://vimeo.com/12/ab', 'Vimeo'],
  ])('ask nothing of their host before they are pressed: %s', async (player, page, host) => {
    const html = sanitizeContent(`<iframe src="${player}" title="A &quot;b&quot;"></iframe>`);
    const shown = await renderContent(html, undefined);
    expect(shown).not.toContain('<iframe');
    expect(shown).toContain(`<a href="${page}" data-player="${player}">`);
    expect(shown).toContain('A &quot;b&quot;</span>');
    expect(shown).toContain(`Plays from ${host}`);
  });
});

describe('players', () => {
  const file = '0123456789abcdef'.repeat(2);
  const video = sanitizeContent(
    `<video src="/media/${file}.mp4" title="A &quot;b&quot; &lt;c&gt;" poster="/media/${name}" width="640"><track src="/media/${file}.vtt"></video>`,
  );

  it('load little before they are wanted, and have a link to the file under its title', async () => {
    const rest = 'width="640" controls="" preload="metadata"';
    expect(await renderContent(video, undefined)).toBe(
      `<div class="player"><video src="/media/${file}.mp4" aria-label="A &quot;b&quot; &lt;c&gt;" poster="/media/${name}" ${rest}>` +
        `<track kind="subtitles" src="/media/${file}.vtt"></video>` +
        `<a class="player-file" href="/media/${file}.mp4">A "b" &lt;c&gt;</a></div>`,
    );
    const audio = await renderContent(sanitizeContent(`<audio src="/media/${file}.mp3"></audio>`), undefined);
    expect(audio).toContain(`aria-label="Audio" controls=""`);
    expect(audio).toContain(`<a class="player-file player-untitled" href="/media/${file}.mp3">Audio</a>`);
  });

  it('read the bucket where browsers do, apart from captions', async () => {
    const shown = await renderContent(video, 'https://cdn.example.com/blog');
    expect(shown).toContain(`src="https://cdn.example.com/blog/${file}.mp4"`);
    expect(shown).toContain(`poster="https://cdn.example.com/blog/${name}"`);
    expect(shown).toContain(`src="/media/${file}.vtt"`);
  });

  it('are something to see, and no words', () => {
    expect(isEmptyContent(video)).toBe(false);
    expect(toPlainText(`<ul><li>a${video}b</li></ul>`)).toBe('a b');
  });
});

describe('RenderCache', () => {
  it('makes a result once, and forgets the one asked for longest ago when it holds too much', () => {
    const cache = new RenderCache(10);
    const made: string[] = [];
    const ask = (text: string) =>
      cache.get(text, () => {
        made.push(text);
        return { html: `${text}!`, minutes: 1 };
      }).html;
    expect(['a', 'b', 'c', 'a', 'd', 'a', 'b'].map(ask)).toEqual(['a!', 'b!', 'c!', 'a!', 'd!', 'a!', 'b!']);
    expect(made).toEqual(['a', 'b', 'c', 'd', 'b']);
  });
});

describe('toPlainText', () => {
  it('gives the words on one line', () => {
    expect(toPlainText('<h2>A&amp;B</h2><p>c<br>d<strong>e</strong></p><ul><li>f</li></ul>')).toBe('A&B c de f');
  });
});

describe('readingMinutes', () => {
  it.each([
    [0, 1],
    [100, 1],
    [660, 3],
  ])('takes a text of %i words to need %i minutes', (words, minutes) => {
    expect(readingMinutes(`<p>${'word '.repeat(words)}</p>`)).toBe(minutes);
  });
});

describe('the time to read a post', () => {
  it('comes with its rendering', async () => {
    expect((await renderWithTime(`<p>${'word '.repeat(660)}</p>`, { siteUrl, publicBase: undefined })).minutes).toBe(3);
  });
});

describe('isEmptyContent', () => {
  it.each([
    ['', true],
    ['<p><br></p>', true],
    ['<p>&nbsp;</p>', true],
    ['<p>\u200b</p><p>\u00ad&nbsp;\u2060</p>', true],
    ['<p>\u200b\u0600</p>', false],
    ['<p>x</p>', false],
    ['<p><img src="/media/a.png" alt=""></p>', false],
  ])('of %j is %s', (html, isEmpty) => {
    expect(isEmptyContent(html)).toBe(isEmpty);
  });
});
