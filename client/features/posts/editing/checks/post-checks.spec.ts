import { describe, expect, it } from '@jest/globals';
import { EMPTY_FORM, type PostForm } from '../../../../../src/shared/contracts/admin-posts.js';
import { imageFields, postFields } from '../../../../../src/shared/contracts/post-fields.js';
import { checkBeforeLive, findInnerPaths } from './post-checks.js';

const SITE = 'https://it.example';
const fine: PostForm = { ...EMPTY_FORM, title: 'A title', excerpt: 'What it is about.' };

function problemsOf(changes: Partial<PostForm>, states = {}): string[] {
  return checkBeforeLive({ ...fine, ...changes }, states, SITE).map(({ problem }) => problem);
}

describe('before it goes live', () => {
  it('finds nothing in a post that has all it should have', () => {
    const content =
      '<h2>One</h2><h3>Part</h3><h2>Two</h2><p><img src="/media/a.png" alt="A cable">' +
      '<img src="/media/b.png" alt="" role="presentation"></p><p><a href="/pricing">Prices</a></p>';
    expect(problemsOf({ content, image_url: '/media/c.png', image_alt: '' }, { '/pricing': 'found' })).toEqual([]);
  });

  it('counts pictures without alternative text', () => {
    const image = '<img src="/media/a.png" alt="">';
    expect(problemsOf({ content: `<p>${image}</p>` })).toEqual(['A picture has no alternative text.']);
    expect(problemsOf({ content: `<p>${image}${image}</p>`, image_url: '/media/c.png', image_alt: null })).toEqual([
      '2 pictures have no alternative text.',
      'The featured image has no alternative text.',
    ]);
  });

  it('names pictures that are no longer stored, wherever the post shows them', () => {
    const pictures = { image_url: '/media/b.png', image_alt: '', social_image: `${SITE}/media/c.png` };
    const images = ['/media/a.png', '/media/d.png', '/media/kept.png', 'https://other.example/media/e.png'];
    const content = `<p>${images.map((src) => `<img src="${src}" alt="A cable">`).join('')}</p>`;
    const post = { ...fine, ...pictures, content };
    const asked = ['/media/a.png', '/media/d.png', '/media/kept.png', '/media/b.png', '/media/c.png'];
    expect(findInnerPaths(post, SITE)).toEqual(asked);
    const states = Object.fromEntries(asked.map((path) => [path, path.includes('kept') ? 'found' : 'missing']));
    expect(problemsOf(post, states)).toEqual([
      '2 pictures are no longer stored.',
      'The featured image is no longer stored.',
      'The image for sharing is no longer stored.',
    ]);
    expect(problemsOf(post)).toEqual([]);
  });

  it.each(imageFields)('names %s that is no longer stored, by its label', (name) => {
    const changes = { [name]: '/media/gone.png', image_alt: '' };
    expect(findInnerPaths({ ...fine, ...changes }, SITE)).toEqual(['/media/gone.png']);
    expect(problemsOf(changes, { '/media/gone.png': 'missing' })).toEqual([
      `The ${postFields[name].label.toLowerCase()} is no longer stored.`,
    ]);
  });

  it('names headings that leave out a level', () => {
    expect(
      problemsOf({ content: '<h3>Too <em>deep</em></h3><h2>Next</h2><h4>Deep &amp; deeper</h4><h2>End</h2>' }),
    ).toEqual([
      'The heading ‘Too deep’ has level 3 and is the first one.',
      'The heading ‘Deep & deeper’ has level 4 and follows a heading 2.',
    ]);
  });

  it('names links within the site that lead nowhere or to what is not live', () => {
    const link = (address: string) => `<p><a href="${address}" rel="noopener">${address}</a></p>`;
    const content = ['/blogs/gone', '/blogs/gone', '/blogs/draft', 'https://it.example/soon#part', '/pricing', '/new']
      .map(link)
      .join('');
    const states = {
      '/blogs/gone': 'missing',
      '/blogs/draft': 'draft',
      '/soon#part': 'scheduled',
      '/pricing': 'found',
    };
    expect(problemsOf({ content }, states)).toEqual([
      'The link ‘/blogs/gone’ leads to a page of this site that does not exist: /blogs/gone.',
      'The link ‘/blogs/draft’ leads to a draft, which readers cannot open: /blogs/draft.',
      'The link ‘https://it.example/soon#part’ leads to a post that is not live yet: /soon#part.',
    ]);
  });

  it('names links to places that the text, or the page of another post, does not have', () => {
    const link = (address: string) => `<p><a href="${address}">to ${address}</a></p>`;
    const headings = '<h2>What it <em>costs</em></h2><h2>What it costs</h2><h2>価格 &amp; <strong>more</strong>?</h2>';
    const note = '<p>a<span class="ql-footnote">note</span></p>';
    const good = ['#what-it-costs', '#what-it-costs-1', '#%E4%BE%A1%E6%A0%BC--more', '#価格--more', '#top', '#note-1'];
    expect(problemsOf({ content: headings + note + good.map(link).join('') })).toEqual([]);
    const noted =
      '<h2>The<span class="ql-footnote">a <span style="color: red;">red</span> note <em>here</em></span> <em>end</em></h2>';
    expect(problemsOf({ content: noted + link('#the-end') })).toEqual([]);
    const content =
      headings + note + ['#What-it-costs', '#note-2', '#gone', '#gone', '/blogs/a?b=1#c'].map(link).join('');
    const post = { ...fine, content };
    expect(findInnerPaths(post, SITE)).toEqual(['/blogs/a#c']);
    const found = checkBeforeLive(post, { '/blogs/a#c': 'no-anchor' }, SITE);
    expect(found.map(({ problem }) => problem)).toEqual([
      'The link ‘to /blogs/a?b=1#c’ names a place that its page does not have: /blogs/a#c.',
      ...['#What-it-costs', '#note-2', '#gone'].map(
        (address) => `The link ‘to ${address}’ names a place that this text does not have: ${address}.`,
      ),
    ]);
    expect(found[1]?.place).toEqual({ link: '#What-it-costs' });
    const formula = '<h2><span class="ql-formula" data-value="x">x</span></h2>';
    expect(problemsOf({ content: formula + link('#x') })).toEqual([]);
  });

  it('says where in the text what it found is', () => {
    const content =
      '<h3>Too <em>deep</em> &amp; long</h3><p><a href="/gone?a=1&amp;b=2">it</a><img src="/a.png" alt=""></p>';
    const found = checkBeforeLive({ ...fine, content }, { '/gone': 'missing' }, SITE).map(({ place }) => place);
    expect(found).toEqual(['picture', { line: 'Too deep & long' }, { link: '/gone?a=1&b=2' }]);
  });

  it('names tables that are too wide for a phone', () => {
    const row = (columns: number) => `<tr>${'<td>1</td>'.repeat(columns)}</tr>`;
    const content = `<table><tbody>${row(4)}</tbody></table><table><tbody>${row(2)}${row(7)}</tbody></table>`;
    expect(problemsOf({ content })).toEqual(['A table has 7 columns, of which phones show two or three at a time.']);
    const joined = '<tr><td colspan="5">a</td><td>b</td></tr>';
    const checks = checkBeforeLive({ ...fine, content: `${content}<table>${joined}</table>` }, {}, SITE);
    expect(checks.map(({ place }) => place)).toEqual([{ table: 1 }, { table: 2 }]);
  });

  it('measures what search results show, and misses the excerpt', () => {
    expect(problemsOf({ title: 'x'.repeat(61), excerpt: '' })).toEqual([
      'The title has 61 characters; search results show about 60.',
      'There is no excerpt.',
    ]);
    expect(problemsOf({ title: 'x'.repeat(61), seo_title: 'Short', excerpt: 'x'.repeat(161) })).toEqual([
      'The text for search results has 161 characters; about 160 are shown.',
    ]);
    expect(problemsOf({ excerpt: 'x'.repeat(161), seo_description: 'Short' })).toEqual([]);
  });
});

describe('links within the site', () => {
  it('are told from others, each once and without what follows the path', () => {
    const links = [
      '/a',
      '/a?x=1&amp;y=2',
      'https://it.example/b',
      'https://other.example/c',
      'mailto:a@b.example',
      '#d',
    ];
    const files = ['/media/a.png', '/api/posts', '/admin/blogs', 'https://it.example:444/e', 'http://['];
    const html = [...links, ...files].map((address) => `<a href="${address}">x</a>`).join(' ');
    expect(findInnerPaths({ ...fine, content: html }, SITE)).toEqual(['/a', '/b']);
    const beside = '<a href="another-post#d">x</a><a href="../pricing">x</a>';
    expect(findInnerPaths({ ...fine, content: beside }, SITE)).toEqual(['/blogs/another-post#d', '/pricing']);
  });
});
