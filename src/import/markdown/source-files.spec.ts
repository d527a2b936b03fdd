import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { ImageFinder } from '../images/image-finder.js';
import { decodeText, findSourceFiles, readSourceFile } from './source-files.js';

let base: string;
const write = (path: string, content: string | Buffer = 'x') => {
  mkdirSync(join(base, path, '..'), { recursive: true });
  writeFileSync(join(base, path), content);
};

beforeAll(() => {
  base = temporaryFolder();
  for (const path of ['posts/b.md', 'posts/a.markdown', 'posts/sub/c.MD', 'posts/x.txt', 'posts/.git/d.md'])
    write(path);
  for (const path of [
    'posts/node_modules/e.md',
    'posts/lost+found/f.md',
    'empty/x.txt',
    'secret.png',
    'posts/sub/near.png',
    'posts/top.png',
  ])
    write(path);
  for (const path of ['assets/blog/my pic.png', 'elsewhere/far.png', 'posts/static/images/in.png']) write(path);
  for (const name of ['a.mdx', 'b.mkdn', 'c.html', 'd.textile', 'e.adoc', 'f.txt']) write(`kinds/${name}`);
  write('other/c.textile');
  write('elsewhere/large.png', Buffer.alloc(5 * 1024 * 1024));
  symlinkSync(join(base, 'secret.png'), join(base, 'posts/link.png'));
  symlinkSync(join(base, 'elsewhere'), join(base, 'kinds/linked'));
  symlinkSync(join(base, 'elsewhere'), join(base, 'kinds/.hidden'));
  symlinkSync(join(base, 'nowhere'), join(base, 'kinds/broken'));
  symlinkSync(join(base, 'nowhere'), join(base, 'kinds/nowhere.md'));
  symlinkSync(join(base, 'empty/x.txt'), join(base, 'posts/link.md'));
});

describe('findSourceFiles', () => {
  it('finds Markdown in all folders but hidden and foreign ones', async () => {
    const { root, files } = await findSourceFiles(join(base, 'posts'));
    expect(root).toBe(join(base, 'posts'));
    expect(files).toEqual(['a.markdown', 'b.md', 'link.md', 'sub/c.MD']);
  });

  it('tells what it reads from what it names', async () => {
    const { files, unread, links } = await findSourceFiles(join(base, 'kinds'));
    expect(files).toEqual(['a.mdx', 'b.mkdn', 'c.html', 'nowhere.md']);
    expect(unread).toEqual(['d.textile', 'e.adoc']);
    expect(links).toEqual(['linked']);
  });

  it('takes a single file', async () => {
    expect(await findSourceFiles(join(base, 'posts/b.md'))).toEqual({
      root: join(base, 'posts'),
      files: ['b.md'],
      unread: [],
      links: [],
      unlisted: [],
      isFile: true,
    });
  });

  it.each([
    ['nowhere', 'there is no such file or folder'],
    ['empty', 'holds no Markdown files'],
    ['empty/x.txt', 'is not a file of Markdown or HTML'],
    ['other', 'c.textile and its like are not read'],
  ])('refuses %s', async (path, reason) => {
    await expect(findSourceFiles(join(base, path))).rejects.toThrow(reason);
  });

  it('reads no link that leads out of the folder', async () => {
    await expect(readSourceFile(join(base, 'posts'), 'link.md')).rejects.toThrow('leads out of the folder');
    await expect(readSourceFile(join(base, 'kinds'), 'nowhere.md')).rejects.toThrow('is a link that leads nowhere');
  });
});

describe('decodeText', () => {
  it.each([
    ['UTF-8', Buffer.from('é\r\nx')],
    ['UTF-8 with a mark', Buffer.from('\ufeffé\nx')],
    ['UTF-16 little endian', Buffer.from('\ufeffé\nx', 'utf16le')],
    ['UTF-16 big endian', Buffer.from('\ufeffé\nx', 'utf16le').swap16()],
  ])('reads %s', (_name, bytes) => {
    expect(decodeText(bytes)).toBe('é\nx');
  });

  it.each([
    ['Latin-1', Buffer.from('a\nb\nné', 'latin1'), 'not in UTF-8 (line 3'],
    ['UTF-16 without a mark', Buffer.from('abc', 'utf16le'), 'zero characters'],
  ])('refuses %s', (_name, bytes, reason) => {
    expect(() => decodeText(bytes)).toThrow(reason);
  });
});

describe('ImageFinder', () => {
  const find = async (written: string, folder: string, assets?: string) => {
    const finder = await ImageFinder.create(join(base, 'posts'), assets === undefined ? undefined : join(base, assets));
    const found = await finder.find(written, folder);
    return 'path' in found ? found.path.slice(base.length + 1) : found.reason;
  };

  it.each([
    ['near.png', 'sub', 'posts/sub/near.png'],
    ['./near.png?v=1#x', 'sub', 'posts/sub/near.png'],
    ['/top.png', 'sub', 'posts/top.png'],
    ['../top.png', 'sub', 'posts/top.png'],
    ['/assets/blog/my%20pic.png', 'sub', 'assets/blog/my pic.png'],
    ['/blog/my pic.png', '.', 'assets/blog/my pic.png'],
    ['../assets/blog/my%20pic.png', '.', 'assets/blog/my pic.png'],
    ['/images/in.png', 'sub', 'posts/static/images/in.png'],
    ['near.png', '.', 'was not found'],
    ['../secret.png', '.', 'lies outside the folders that were given'],
    ['/../secret.png', '.', 'lies outside the folders that were given'],
    ['%2e%2e/secret.png', '.', 'lies outside the folders that were given'],
    ['../../../../../../../../etc/hostname', '.', expect.stringMatching(/lies outside|was not found/)],
    ['link.png', '.', 'lies outside the folders that were given'],
    ['/secret.png', '.', 'lies outside the folders that were given'],
    ['sub', '.', 'was not found'],
    ['', '.', 'is no address of a file'],
    ['a%00.png', '.', 'is no address of a file'],
  ])('of %s in %s is %s', async (written, folder, expected) => {
    expect(await find(written, folder)).toEqual(expected);
  });

  it('looks into the folder that is named, and then not into the usual ones', async () => {
    expect(await find('/elsewhere/far.png', '.', 'elsewhere')).toBe('elsewhere/far.png');
    expect(await find('far.png', '.', 'elsewhere')).toBe('elsewhere/far.png');
    expect(await find('/large.png', '.', 'elsewhere')).toBe('Image must be less than 5MB');
    expect(await find('/blog/my pic.png', '.', 'elsewhere')).toBe('was not found');
  });
});
