import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Post } from '../posts/post.entity.js';
import type { PostUseKind } from '../shared/contracts/media.js';
import { Image } from './image.entity.js';

/** Every kind of use. */
export const imageUseKinds: readonly PostUseKind[] = ['post', 'working-copy', 'revision'];

/** An image that a post shows; an image with such a row is never removed. Goes with its post. */
export const ImageUse = defineEntity({
  name: 'ImageUse',
  tableName: 'image_uses',
  properties: {
    image: () => p.manyToOne(Image).primary(),
    post: () => p.manyToOne(Post).primary().deleteRule('cascade').index(),
    kind: p.string().length(20).$type<PostUseKind>().primary(),
  },
});

/** A row of {@link ImageUse}. */
export type ImageUseRow = InferEntity<typeof ImageUse>;
