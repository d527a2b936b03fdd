import type { Readable } from 'node:stream';
import type { ExportedPost } from './exported-post.js';

/** Writes posts and images in one format, in the order in which they come. */
export interface PostFiles {
  /** Path that posts give an image, relative to where they are. */
  imagePath(name: string): string;
  addImage(name: string, source: Readable): Promise<void>;
  /**
   * @param images paths of the images that were added, by their addresses here
   * @returns the file that holds the post, relative to the destination
   */
  addPost(post: ExportedPost, images: ReadonlyMap<string, string>): Promise<string>;
  /** Lets everything appear in its place. */
  finish(): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}
