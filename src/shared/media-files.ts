import { contentTypeOf, findMediaNames, parseMediaName, renditionsOf, type MediaKind } from './media.js';

/**
 * How sound, films and captions are named, which posts play as they came: `{id}.{extension}`, with 32 random hexadecimal
 * digits. They lie beside the files of images, and are one file each (decision 98). Server only: pages need nothing of it.
 */
const PLAYABLE = {
  mp3: { kind: 'audio', contentType: 'audio/mpeg' },
  m4a: { kind: 'audio', contentType: 'audio/mp4' },
  ogg: { kind: 'audio', contentType: 'audio/ogg' },
  wav: { kind: 'audio', contentType: 'audio/wav' },
  flac: { kind: 'audio', contentType: 'audio/flac' },
  weba: { kind: 'audio', contentType: 'audio/webm' },
  mp4: { kind: 'video', contentType: 'video/mp4' },
  webm: { kind: 'video', contentType: 'video/webm' },
  ogv: { kind: 'video', contentType: 'video/ogg' },
  vtt: { kind: 'captions', contentType: 'text/vtt; charset=utf-8' },
} as const satisfies Record<string, { readonly kind: MediaKind; readonly contentType: string }>;

/** Extension of a stored file that posts play, or that belongs to one. */
export type PlayableExtension = keyof typeof PLAYABLE;

/** The facts in the name of such a file. */
export interface PlayableName {
  readonly id: string;
  readonly extension: PlayableExtension;
  readonly kind: Exclude<MediaKind, 'image'>;
}

const NAME = /^([0-9a-f]{32})\.(mp3|m4a|ogg|wav|flac|weba|mp4|webm|ogv|vtt)$/;
const NAME_IN_TEXT = /(?<![0-9a-f])[0-9a-f]{32}\.(?:mp3|m4a|ogg|wav|flac|weba|mp4|webm|ogv|vtt)(?![0-9a-z])/g;

/** Reads the name of a file that posts play; null for every other name. */
export function parsePlayableName(name: string): PlayableName | null {
  const [, id, extension] = NAME.exec(name) ?? [];
  if (id === undefined) return null;
  const known = extension as PlayableExtension;
  return { id, extension: known, kind: PLAYABLE[known].kind };
}

/** The kind of what has files of this extension. */
export function kindOfExtension(extension: PlayableExtension): PlayableName['kind'] {
  return PLAYABLE[extension].kind;
}

/** The id of what a stored file belongs to; null for files that are not the product's. */
export function mediaIdOf(file: string): string | null {
  return parseMediaName(file)?.id ?? parsePlayableName(file)?.id ?? null;
}

/** The names of all files of what has this name: the renditions of an image, or the one file of anything else. */
export function filesOf(name: string): string[] {
  return parsePlayableName(name) === null ? renditionsOf(name).map((file) => file.name) : [name];
}

/** The content type in which a stored file is served. @throws Error for a name that no file has */
export function contentTypeOfFile(name: string): string {
  const playable = parsePlayableName(name);
  if (playable !== null) return PLAYABLE[playable.extension].contentType;
  const media = parseMediaName(name);
  if (media === null) throw new Error(`Not the name of a stored file: ${name}`);
  return contentTypeOf(media.extension);
}

/** The names of all files that a text shows, plays or mentions, images as `findMediaNames` finds them. */
export function findFileNames(...texts: readonly (string | null | undefined)[]): string[] {
  const playable = texts.flatMap((text) => text?.match(NAME_IN_TEXT) ?? []);
  return [...findMediaNames(...texts), ...new Set(playable)];
}
