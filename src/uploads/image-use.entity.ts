import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Post } from '../posts/post.entity.js';
import { Image } from './image.entity.js';

/** Which text of a post shows an image: what is stored as the post, what is being worked on, or an earlier version. */
export const imageUseKinds = ['post', 'working-copy', 'revision'] as const;

/** One of {@link imageUseKinds}. */
export type ImageUseKind = (typeof imageUseKinds)[number];

/** An image that a post shows; an image with such a row is never removed. Goes with its post. */
export const ImageUse = defineEntity({
  name: 'ImageUse',
  tableName: 'image_uses',
  properties: {
    image: () => p.manyToOne(Image).primary(),
    post: () => p.manyToOne(Post).primary().deleteRule('cascade').index(),
    kind: p.string().length(20).$type<ImageUseKind>().primary(),
  },
});

/** A row of {@link ImageUse}. */
export type ImageUseRow = InferEntity<typeof ImageUse>;
