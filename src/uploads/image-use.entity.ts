import { defineEntity, p } from '@mikro-orm/core';
import { Post } from '../posts/post.entity.js';
import type { PostUseKind } from '../shared/contracts/media.js';
import { Image } from './image.entity.js';

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
