import { Param } from '@nestjs/common';
import { UuidPipe } from '../http/uuid.pipe.js';
import { PostNotFoundException } from './post.errors.js';

/** The id of a post in the address; what is no UUID is no post. */
export const PostId = (): ParameterDecorator =>
  Param('id', new UuidPipe({ exceptionFactory: () => new PostNotFoundException() }));
