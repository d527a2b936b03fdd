import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { makeFilm, makeMp3, makeSound, makeWav } from '../../test/support/playable-files.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { detectPlayable, isCaptions } from './playable-format.js';

const folder = temporaryFolder();

async function detect(bytes: Buffer | string) {
  const path = join(folder, 'file');
  writeFileSync(path, bytes);
  const file = await open(path, 'r');
  try {
    return await detectPlayable(file, (await file.stat()).size);
  } finally {
    await file.close();
  }
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const tag = Buffer.concat([latin1('ID3\x04\0\0\0\0\x01\x00'), Buffer.alloc(128, 0xff)]);

describe('detectPlayable', () => {
  it.each([
    ['a film', makeFilm(), 'mp4'],
    ['sound in an MP4', makeSound(), 'm4a'],
    ['MP3', makeMp3(), 'mp3'],
    ['MP3 behind a tag of any bytes', makeMp3(1, tag), 'mp3'],
    ['WAV', makeWav(8), 'wav'],
    ['FLAC', latin1('fLaC\0\0\0\x22'), 'flac'],
    ['Ogg Vorbis', latin1('OggS\0\x02~~~~\x01vorbis'), 'ogg'],
    ['Opus', latin1('OggS\0\x02~~~~OpusHead'), 'ogg'],
    ['Theora', latin1('OggS\0\x02~~~~\x80theora'), 'ogv'],
    ['WebM', latin1('\x1a\x45\xdf\xa3\x42\x82\x84webm~~~V_VP9'), 'webm'],
    ['WebM without a picture', latin1('\x1a\x45\xdf\xa3\x42\x82\x84webm~~~A_OPUS'), 'weba'],
  ])('finds %s', async (_, bytes, expected) => {
    expect(await detect(bytes)).toBe(expected);
  });

  it.each([
    ['nothing', ''],
    ['text', 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1234\n'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['a picture (JPEG)', latin1('\xff\xd8\xff\xe0\0\x10JFIF\0')],
    ['a picture in an ISO file', makeFilm(1, 10, 'avif')],
    ['a film of QuickTime', makeFilm(1, 10, 'qt  ')],
    ['Matroska', latin1('\x1a\x45\xdf\xa3\x42\x82\x88matroska')],
    ['Ogg of another codec', latin1('OggS\0\x02~~~~Speex   ')],
    ['a film that is cut off', makeFilm().subarray(0, 2000)],
    ['a film without a description', makeFilm().subarray(0, 24 + 3008)],
    ['one frame and then something else', Buffer.concat([makeMp3().subarray(0, 417), Buffer.alloc(500)])],
    ['a tag and nothing after it', tag],
  ])('refuses %s', async (_, bytes) => {
    expect(await detect(bytes)).toBeNull();
  });
});

describe('isCaptions', () => {
  it.each([
    ['WEBVTT\n\n00:00.000 --> 00:01.000\nHello', true],
    ['\ufeffWEBVTT - with a title', true],
    ['WEBVTTX', false],
    ['1\n00:00:00,000 --> 00:00:01,000\nSubRip', false],
    ['WEBVTT\0', false],
  ])('of %j is %s', (text, expected) => {
    expect(isCaptions(Buffer.from(text))).toBe(expected);
  });
});
