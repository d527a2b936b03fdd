import type { Readable } from 'node:stream';
import type { ExportedPost } from './exported-post.js';

/** A post that was written. */
export interface WrittenPost {
  /** The file that holds it, relative to the destination. */
  readonly file: string;
  /** Things that the format has no place for, in words that are the same for every such post. */
  readonly losses: readonly string[];
  /** Things to do by hand for this post. */
  readonly notes?: readonly string[];
}

/** Writes posts and images in one format, in the order in which they come. */
export interface PostFiles {
  /** Path that posts give an image, relative to where they are. */
  imagePath(name: string): string;
  addImage(name: string, source: Readable): Promise<void>;
  /** @param images paths of the images that were added, by their addresses here */
  addPost(post: ExportedPost, images: ReadonlyMap<string, string>): Promise<WrittenPost>;
  /** Lets everything appear in its place. */
  finish(): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}
