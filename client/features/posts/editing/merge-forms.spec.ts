import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EMPTY_FORM, type PostForm } from '../../../../src/shared/contracts/admin-posts.js';
import { PROPERTY_SEED } from '../../../../test/support/property-seed.js';
import { combine, findUnchosen, isLeftOut, mergeForms, type Choice, type Choices } from './merge-forms.js';
import { joinLines, splitLines } from './merge-lines.js';

const form = (fields: Partial<PostForm>): PostForm => ({ ...EMPTY_FORM, ...fields });
const text = (...lines: readonly string[]) => form({ content: lines.join('') });

/** Merges, and takes the same of every contested passage. */
function merge(base: PostForm, mine: PostForm, theirs: PostForm, choice?: Choice) {
  const versions = { base, mine, theirs };
  const merges = mergeForms(versions);
  const contested = findUnchosen(merges, new Map());
  const choices: Choices = new Map(choice ? contested.map(({ id }) => [id, choice]) : []);
  return { merges, contested, choices, result: combine(versions, merges, choices) };
}

const [a, b, c] = ['<p>Ann</p>', '<p>Bob <strong>bold</strong></p>', '<p>Cy</p>'];
const table = '<table><tbody><tr><td>1</td><td>2</td></tr></tbody></table>';

describe('mergeForms', () => {
  it('takes what each of two changed, in other fields and in other lines', () => {
    const base = form({ title: 'Lamps', excerpt: 'Two', content: a + b + c, tags: 'light, old' });
    const mine = form({ ...base, title: 'Lanterns', content: `<p>Ann, mine</p>${b}${c}`, tags: 'light, old, mine' });
    const theirs = form({ ...base, excerpt: 'Three', content: `${a}${b}${c}<p>Theirs</p>`, tags: 'light, theirs' });
    const { contested, result } = merge(base, mine, theirs);
    expect(contested).toEqual([]);
    expect(result).toEqual({
      ...base,
      title: 'Lanterns',
      excerpt: 'Three',
      content: `<p>Ann, mine</p>${b}${c}<p>Theirs</p>`,
      tags: 'light, mine, theirs',
    });
  });

  it('takes changes of neighboring lines, and lines that were put in behind a changed one', () => {
    const changed = [`<p>1</p>${b}`, `${a}<p>2</p>`, `${a}${b}<p>3</p>`, `<p>0</p>${a}${b}`, a, b] as const;
    const mergeTexts = (mine: string, theirs: string) => merge(text(a, b), text(mine), text(theirs));
    expect(mergeTexts(changed[0], changed[1])).toMatchObject({ contested: [], result: text('<p>1</p><p>2</p>') });
    expect(mergeTexts(changed[1], changed[2])).toMatchObject({ contested: [], result: text(a, '<p>2</p><p>3</p>') });
    expect(mergeTexts(changed[0], changed[3])).toMatchObject({ contested: [], result: text('<p>0</p><p>1</p>', b) });
    expect(mergeTexts(changed[2], changed[4])).toMatchObject({ contested: [], result: text(a, '<p>3</p>') });
    expect(mergeTexts(changed[4], changed[5])).toMatchObject({ contested: [], result: text('') });
  });

  it('takes changes of different words of a title and an excerpt, unless they are too long together', () => {
    const base = form({ title: 'Cheap lamps & <wires> for homes', excerpt: 'One two three', slug: 'one-two-three' });
    const mine = form({ ...base, title: 'Good lamps & <wires> for homes', excerpt: 'One two four' });
    const theirs = form({ ...base, title: 'Cheap lamps & <wires> for offices', excerpt: 'One two three five' });
    for (const [first, second] of [
      [mine, theirs],
      [theirs, mine],
    ] as const) {
      expect(merge(base, first, second)).toMatchObject({
        contested: [{ id: 'excerpt-0', canBeBoth: false }],
        result: { title: 'Good lamps & <wires> for offices' },
      });
    }
    const long = (start: string, end: string) => form({ title: `${start} middle ${end}` });
    const tooLong = merge(long('a', 'b'), long('a'.repeat(100), 'b'), long('a', 'b'.repeat(100)));
    expect(tooLong.contested).toMatchObject([{ id: 'title-0' }]);
    const slugs = ['a-b-c', 'x-b-c', 'a-b-y'].map((slug) => form({ slug })) as [PostForm, PostForm, PostForm];
    expect(merge(...slugs).contested).toMatchObject([{ id: 'slug-0' }]);
  });

  it('asks where both changed the same lines, or put lines in at the same place', () => {
    for (const [mine, theirs] of [
      [text(a, '<p>1</p>', c), text(a, '<p>2</p>', c)],
      [text(a, c), text(a, '<p>2</p>', c)],
      [text(a, b, '<p>1</p>', c), text(a, b, '<p>2</p>', c)],
      [text(a, '<p>1</p><p>1</p>', c), text(a, b, '<p>2</p>', c)],
    ] as const) {
      const { merges, contested } = merge(text(a, b, c), mine, theirs);
      expect(contested).toMatchObject([{ canBeBoth: true }]);
      expect(merge(text(a, b, c), mine, theirs, 'mine').result).toEqual(mine);
      expect(merge(text(a, b, c), mine, theirs, 'theirs').result).toEqual(theirs);
      expect(isLeftOut('theirs', merges, new Map([[contested[0]!.id, 'mine']]))).toBe(true);
      expect(isLeftOut('mine', merges, new Map([[contested[0]!.id, 'both']]))).toBe(false);
    }
    const both = merge(text(a, b, c), text(a, '<p>1</p>', c), text(a, '<p>2</p>', c), 'both');
    expect(both.result).toEqual(text(a, '<p>1</p><p>2</p>', c));
    expect(merge(form({ title: 'x' }), form({ title: 'y' }), form({ title: 'z' })).contested).toMatchObject([
      { canBeBoth: false },
    ]);
  });

  it('takes what both changed alike once', () => {
    const changed = form({ title: 'Same', content: `${a}<p>Same</p>`, tags: 'one, two' });
    expect(merge(text(a), changed, changed)).toMatchObject({ contested: [], result: changed });
    const [mine, theirs] = [form({ ...changed, tags: 'one, mine' }), form({ ...changed, tags: 'one, theirs' })];
    expect(merge(text(a), mine, theirs).result.tags).toBe('one, mine, theirs');
  });

  it('merges an image with its words, so that none gets those of another', () => {
    const base = form({ image_url: '/media/1', image_alt: 'A lamp' });
    const mine = form({ ...base, image_url: '/media/2', image_alt: null });
    const theirs = form({ ...base, image_alt: 'A red lamp', image_caption: 'Red' });
    const { contested } = merge(base, mine, theirs);
    expect(contested).toHaveLength(1);
    expect(merge(base, mine, theirs, 'theirs').result).toEqual(theirs);
    expect(merge(base, mine, theirs, 'mine').result).toEqual(mine);
    expect(merge(base, mine, form({ ...base, title: 'Red' })).result).toEqual({ ...mine, title: 'Red' });
  });

  it('merges lists item by item, and leaves tables, code and quotations whole', () => {
    const list = (...items: string[]) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
    const merged = merge(text(a, list('1', '2', '3')), text(a, list('1', '2', '3', '4')), text(a, list('0', '2', '3')));
    expect(merged).toMatchObject({ contested: [], result: text(a, list('0', '2', '3', '4')) });
    const apart = merge(text(list('1'), list('2')), text(list('1'), list('2', '3')), text(list('0'), list('2')));
    expect(apart.result).toEqual(text(list('0'), list('2', '3')));
    const other = table.replace('2', '3');
    const tables = merge(text(table, a), text(other, a), text(table.replace('1', '0'), a));
    expect(tables.contested).toMatchObject([{ mine: [{ text: other }] }]);
  });
});

describe('two who changed one paragraph', () => {
  const paragraph =
    '<p>The <strong>old</strong> lamp in the hall burns &amp; burns, <a href="/lamps">says Ann</a>.</p>';
  const change = (...replacements: readonly (readonly [string, string])[]) =>
    text(replacements.reduce((now, [from, to]) => now.replace(from, to), paragraph));
  const both = (mine: PostForm, theirs: PostForm) => {
    const { contested, result } = merge(text(paragraph), mine, theirs);
    expect(merge(text(paragraph), theirs, mine).result).toEqual(contested.length === 0 ? result : expect.anything());
    return contested.length === 0 ? result : null;
  };

  it('get the words of both with their formats, where an unchanged one stands between', () => {
    const mine = change(['lamp', 'big <em>lamp</em>'], ['<p>', '<p class="ql-align-center">']);
    const theirs = change(['Ann', 'old Bob'], ['</p>', '<br>Or not.</p>'], ['</a>.', '</a>.']);
    expect(both(mine, theirs)).toEqual(
      text(
        '<p class="ql-align-center">The <strong>old</strong> big <em>lamp</em> in the hall burns &amp; burns, ' +
          '<a href="/lamps">says old Bob</a>.<br>Or not.</p>',
      ),
    );
    expect(both(change(['<p>', '<h2>'], ['</p>', '</h2>']), change(['The', 'An']))).toEqual(
      text(paragraph.replace('The', 'An').replaceAll(/(<\/?)p>/g, '$1h2>')),
    );
    const note = '<span class="ql-footnote">Not <em>ever</em></span>';
    expect(both(change(['hall', `hall${note}`]), change(['The <strong>old</strong> ', '']))).toEqual(
      change(['hall', `hall${note}`], ['The <strong>old</strong> ', '']),
    );
    // What both did stands once.
    expect(both(change(['hall', 'attic'], ['The', 'A']), change(['hall', 'attic'], ['Ann', 'Bob']))).toEqual(
      change(['hall', 'attic'], ['The', 'A'], ['Ann', 'Bob']),
    );
    const item = (words: string) => text(`<ul><li data-list="checked">${words}</li><li>b</li></ul>`);
    expect(merge(item('one two three'), item('1 two three'), item('one two 3'))).toMatchObject({
      contested: [],
      result: item('1 two 3'),
    });
  });

  it('are asked where the words that they changed meet, and where the line is more than a paragraph', () => {
    for (const [mine, theirs] of [
      [change(['lamp', 'fan']), change(['lamp', 'torch'])],
      [change(['lamp', 'fan']), change(['lamp', 'lamps'], ['Ann', 'Bob'])],
      [change(['lamp', 'fan']), change(['in the', 'of the'])],
      [change(['lamp', 'fan']), change(['lamp', 'big lamp'])],
      [change(['</p>', ' Mine.</p>']), change(['</p>', ' Theirs.</p>'])],
      [change(['<p>', '<p class="ql-align-center">']), change(['<p>', '<p class="ql-align-right">'])],
      [change([paragraph, `<p><em>${paragraph.slice(3, -4)}</em></p>`]), change(['Ann', 'Bob'])],
      [change(['hall', '<strong></strong>hall']), change(['Ann', 'Bob'])],
      [change(['hall', 'hall</p><p>']), change(['Ann', 'Bob'])],
    ] as const) {
      expect(both(mine, theirs)).toBeNull();
    }
    const deep = (words: string) => text(`<ul><li>${words}<ul><li>deep</li></ul></li></ul>`);
    expect(merge(deep('one two three'), deep('1 two three'), deep('one two 3')).contested).toHaveLength(1);
    const long = (start: number) => Array.from({ length: 400 }, (_, index) => `w${start + index}`).join(' ');
    expect(
      merge(text(`<p>${long(0)}</p>`), text(`<p>${long(5000)}</p>`), text(`<p>0 ${long(0)}</p>`)).contested,
    ).toHaveLength(1);
  });

  it('lose no word, whatever they write', () => {
    const word = fc.constantFrom('one', 'two', 'three', 'four', 'five', '&amp;', '灯');
    const wrap = fc.constantFrom('', '', '', '<strong>', '<em>', '<a href="/x">');
    /** A word in a format, as HTML. */
    const piece = fc
      .tuple(word, wrap)
      .map(([inside, tag]) =>
        tag === '' ? inside : `${tag}${inside}</${tag.slice(1).split(' ')[0]!.replace('>', '')}>`,
      );
    const atoms = fc.constantFrom(
      '<br>',
      '<img src="/media/1" alt="a">',
      '<span class="ql-formula" data-value="a"></span>',
    );
    const pieces = fc.array(fc.oneof({ weight: 6, arbitrary: piece }, { weight: 1, arbitrary: atoms }), {
      minLength: 1,
      maxLength: 14,
    });
    const places = fc.array(fc.tuple(fc.nat(13), fc.constantFrom('remove', 'insert', 'replace'), piece), {
      maxLength: 3,
    });
    let merged = 0;
    fc.assert(
      fc.property(pieces, places, places, (before, first, second) => {
        // Words of one's own can be told from all others.
        const own = (name: string, changes: typeof first) =>
          changes.map(
            ([at, kind, put], index) => [at, kind, put.replace(/(?<=^|>)[^<]+/, `${name}${index}x`)] as const,
          );
        const versions = [before, edit(before, own('mine', first)), edit(before, own('theirs', second))];
        const [base, mine, theirs] = versions.map((words) => text(`<p>${words.join(' ')}</p>`)) as [
          PostForm,
          PostForm,
          PostForm,
        ];
        const { contested, merges, result } = merge(base, mine, theirs);
        if (contested.length > 0) return;
        if (merges.some(({ passages }) => passages.some(({ owner }) => owner === 'both-apart'))) merged += 1;
        expect(merge(base, theirs, mine).result).toEqual(result);
        const piecesOf = ({ content }: PostForm) => content.slice(3, -4).split(/ (?![^<>]*>)/);
        const count = (from: PostForm, one: string) => piecesOf(from).filter((other) => other === one).length;
        // Everything that came comes, and of the words that were there, nothing goes that nobody took away.
        for (const each of new Set([mine, theirs, result].flatMap(piecesOf))) {
          const [was, ours, others] = [base, mine, theirs].map((from) => count(from, each)) as [number, number, number];
          expect(count(result, each)).toBeGreaterThanOrEqual(Math.max(0, ours + others - was));
          expect(count(result, each)).toBeLessThanOrEqual(Math.max(ours, others));
        }
      }),
      { numRuns: 500, seed: PROPERTY_SEED },
    );
    expect(merged).toBeGreaterThan(20);
  });
});

const block = fc.oneof(
  fc.constantFrom(...'abcdefgh').map((word) => `<p>${word}</p>`),
  fc.constantFrom(...'xyz').map((word) => `<p>${word}<span class="ql-footnote">note ${word}</span></p>`),
  fc.constantFrom(...'123').map((word) => table.replace('1', word)),
  fc.constantFrom('<h2>Head</h2>', '<pre class="ql-code" data-language="plain">a &lt;b&gt;\n</pre>', '<p><br></p>'),
  fc.constantFrom('<figure><img src="/media/1" alt="a"><figcaption>One</figcaption></figure>', '<hr>'),
  fc
    .tuple(
      fc.constantFrom('ul', 'ol'),
      fc.array(fc.constantFrom('one', 'two<ul><li>deep</li></ul>', 'three'), { minLength: 1, maxLength: 3 }),
    )
    .map(([tag, items]) => `<${tag}>${items.map((item) => `<li>${item}</li>`).join('')}</${tag}>`),
);
const blocks = fc.array(block, { maxLength: 8 });
/** What somebody does to a text: blocks that go, that come, and that become others. */
const edits = fc.array(fc.tuple(fc.nat(7), fc.constantFrom('remove', 'insert', 'replace'), block), { maxLength: 4 });

function edit(lines: readonly string[], changes: readonly (readonly [number, string, string])[]): string[] {
  return changes.reduce<string[]>(
    (now, [place, kind, put]) => {
      const at = Math.min(place, now.length);
      return now.toSpliced(at, kind === 'insert' ? 0 : 1, ...(kind === 'remove' ? [] : [put]));
    },
    [...lines],
  );
}

describe('whatever two people write', () => {
  const options = { numRuns: 300, seed: PROPERTY_SEED };

  it('lines make the text again that they come from', () => {
    fc.assert(
      fc.property(blocks, (lines) => joinLines(splitLines(lines.join(''))) === lines.join('')),
      options,
    );
    for (const odd of ['loose text', '<p>open', '<ul>\n<li>a</li>\n</ul>\n<ul><li>b</li></ul>', '<p a="<">x</p>']) {
      expect(joinLines(splitLines(odd))).toBe(odd);
    }
  });

  it('what only one of them changed is the result, and a text merged with itself is itself', () => {
    fc.assert(
      fc.property(blocks, edits, (lines, changes) => {
        const [base, changed] = [text(...lines), text(...edit(lines, changes))];
        expect(merge(base, changed, base)).toMatchObject({ contested: [], result: changed });
        expect(merge(base, base, changed)).toMatchObject({ contested: [], result: changed });
        expect(merge(base, changed, changed)).toMatchObject({ contested: [], result: changed });
      }),
      options,
    );
  });

  it('nothing that one of them wrote gets lost, and no block is torn apart', () => {
    fc.assert(
      fc.property(
        blocks,
        edits,
        edits,
        fc.constantFrom<Choice>('mine', 'theirs', 'both'),
        (lines, first, second, choice) => {
          const [base, mine, theirs] = [text(...lines), text(...edit(lines, first)), text(...edit(lines, second))];
          const { result } = merge(base, mine, theirs, choice);
          const keysOf = ({ content }: PostForm) => splitLines(content).map(({ text: line }) => line);
          const known = new Set([base, mine, theirs].flatMap(keysOf));
          expect(keysOf(result).filter((line) => !known.has(line))).toEqual([]);
          if (choice !== 'both') return;
          const kept = new Set(keysOf(result));
          const before = new Set(keysOf(base));
          const written = [mine, theirs].flatMap(keysOf).filter((line) => !before.has(line));
          expect(written.filter((line) => !kept.has(line))).toEqual([]);
        },
      ),
      options,
    );
  });
});
