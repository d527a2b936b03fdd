import { describe, expect, it, jest } from '@jest/globals';
import { parseFrontMatter } from './front-matter.js';

describe('parseFrontMatter', () => {
  it('splits a post into values and text', () => {
    expect(parseFrontMatter('---\ntitle: A\ntags: [b, c]\n---\nText\n---\nmore\n')).toEqual({
      frontMatter: { title: 'A', tags: ['b', 'c'] },
      body: 'Text\n---\nmore\n',
      isYaml: true,
    });
  });

  it('reads TOML, dates as they are written', () => {
    const toml = '+++\ntitle = "A"\ndate = 2025-01-05T10:00:00-08:00\n[taxonomies]\ntags = ["b"]\n+++\nText\n';
    expect(parseFrontMatter(toml)).toEqual({
      frontMatter: { title: 'A', date: '2025-01-05T10:00:00.000-08:00', taxonomies: { tags: ['b'] } },
      body: 'Text\n',
      isYaml: false,
    });
    expect(parseFrontMatter('+++\ndate = 2025-01-05\n+++\n').frontMatter).toEqual({ date: '2025-01-05' });
  });

  it('reads JSON', () => {
    expect(parseFrontMatter('{\n  "title": "A",\n  "params": {\n}\n}\nText')).toEqual({
      frontMatter: { title: 'A', params: {} },
      body: 'Text',
      isYaml: false,
    });
  });

  it('passes over empty lines in front, and counts them', () => {
    expect(parseFrontMatter('\n \n---\ntitle: A\n---\nText')).toMatchObject({
      frontMatter: { title: 'A' },
      body: 'Text',
    });
    expect(parseFrontMatter('\n+++\ntitle = "A"\n+++\nText')).toMatchObject({ frontMatter: { title: 'A' } });
    expect(parseFrontMatter('\n{\n"title": "A"\n}\nText')).toMatchObject({ frontMatter: { title: 'A' } });
    expect(() => parseFrontMatter('\n\n---\ntitle: [\n---\n')).toThrow(/broken in line [45]/);
    expect(() => parseFrontMatter('\n+++\ntitle =\n+++\n')).toThrow(/broken in line 3/);
    expect(() => parseFrontMatter('\n---\ntitle: A\n')).toThrow(/opened in line 2/);
    expect(() => parseFrontMatter('\nText\n---\n')).toThrow(/no front matter/);
  });

  it('takes an empty block and a post without text', () => {
    expect(parseFrontMatter('---\n---\n')).toEqual({ frontMatter: {}, body: '', isYaml: true });
    expect(parseFrontMatter('---\ntitle: A\n---')).toEqual({ frontMatter: { title: 'A' }, body: '', isYaml: true });
  });

  it.each(['"', "'"])('reads text in %s that goes on in lines without indentation', (quote) => {
    const { frontMatter } = parseFrontMatter(
      `---\nexcerpt: ${quote}One\ntwo - three: four\n\n# five${quote} # a comment\ntitle: A\n---\n`,
    );
    expect(frontMatter).toEqual({ excerpt: 'One two - three: four\n# five', title: 'A' });
  });

  it('reads what is merged in, as generators do', () => {
    const { frontMatter } = parseFrontMatter('---\nbase: &base\n  tags: [a]\n  lang: de\n<<: *base\nlang: en\n---\n');
    expect(frontMatter).toMatchObject({ tags: ['a'], lang: 'en' });
    const bomb = ['a: &a { x: 1 }', ...Array.from({ length: 30 }, () => 'b:\n  <<: [*a, *a]')].join('\n');
    expect(() => parseFrontMatter(`---\n${bomb}\n---\n`)).not.toThrow(RangeError);
  });

  it('takes the last of values with one name, and says so', () => {
    const text = '---\ntitle: A\ndraft: false\ntags: [a]\n"title": B\ndraft: true\ndraft: true\n---\n';
    expect(parseFrontMatter(text)).toMatchObject({
      frontMatter: { title: 'B', draft: true, tags: ['a'] },
      repeated: ['"title"', 'draft'],
    });
    expect(() => parseFrontMatter('---\na: 1\na: 2\nb: [\n---\n')).toThrow(/broken in line [45]/);
  });

  it('reads the language that the first line names, and says that it runs no program', () => {
    const json = '---json\n{ "title": "A", "tags": ["b"] }\n---\nText\n';
    expect(parseFrontMatter(json)).toMatchObject({ frontMatter: { title: 'A', tags: ['b'] }, body: 'Text\n' });
    expect(parseFrontMatter('---toml\ntitle = "A"\n---\nText\n')).toMatchObject({
      frontMatter: { title: 'A' },
      body: 'Text\n',
    });
    expect(parseFrontMatter('--- yaml\ntitle: A\n---\n').frontMatter).toEqual({ title: 'A' });
    expect(() => parseFrontMatter('---js\n{ title: "A" }\n---\n')).toThrow(
      'is a program (---js), which is not run here',
    );
    expect(() => parseFrontMatter('---json\n{ "title": \n---\n')).toThrow('cannot be read');
  });

  it('reads JSON that ends behind its last value, with braces at the ends of lines before', () => {
    const json = '{\n"title": "A",\n"params": { "a": 1 }\n,"tags": ["b"]}\n\nText { c }\n';
    expect(parseFrontMatter(json)).toEqual({
      frontMatter: { title: 'A', params: { a: 1 }, tags: ['b'] },
      body: '\nText { c }\n',
      isYaml: false,
    });
  });

  it('reads the lines in front of texts of Pelican, and takes no sentences for such', () => {
    const text =
      'Title: A: b\nDate: 2024-01-05 10:20\nTags: x, y\nSummary: Long\n    and wide\nStatus: draft\nEmpty:\n\n' +
      '![a]({static}/a.png) [b]({filename}b.md) <img src="|attach|c.png"> {static}\n';
    expect(parseFrontMatter(text)).toEqual({
      frontMatter: {
        ...{ title: 'A: b', date: '2024-01-05 10:20', tags: 'x, y', summary: 'Long and wide', status: 'draft' },
        empty: '',
      },
      body: '![a](/a.png) [b](b.md) <img src="c.png"> {static}\n',
      isYaml: false,
    });
    for (const other of ['Title: only\n\nText', 'Date: 2024-01-05\n\nText', 'Title: a\nDate: b\nand a sentence\n'])
      expect(() => parseFrontMatter(other)).toThrow('has no front matter');
  });

  it('warns nobody of values that are templates', () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    expect(parseFrontMatter('---\ntitle: {{ title }}\n---\n').frontMatter).toHaveProperty('title');
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it.each([
    ['Text only', /has no front matter/],
    ['---\ntitle: A\n', /is never closed/],
    ['+++\ntitle = "A"\n---\n', /is never closed with a line of \+\+\+/],
    ['+++\ntitle = "A"\nslug = \n+++\n', /broken in line 3: /],
    ['{"title": "A"', /begins like JSON in line 1, cannot be read/],
    ['---\ntitle: "A\ndate: 2025-01-01\n---\n', /broken in line 2: a quotation mark/],
    ['---\ntitle: A\ntags: [a, b\n---\n', /broken in line [34]/],
    ['---\ntitle: A\n\ttags: b\n---\n', /broken in line 3/],
    ['---\n- a\n- b\n---\n', /not a list of names/],
    ['---\njust words\n---\n', /not a list of names/],
    [
      `---\na: &a [x]\nb: [${'*a, '.repeat(30)}*a]\nc: &c [${'*a,'.repeat(30)}]\nd: [*c, *c, *c]\n---\n`,
      /broken: .*alias/,
    ],
  ])('refuses %j with the line in the file', (text, reason) => {
    expect(() => parseFrontMatter(text)).toThrow(reason);
  });
});
