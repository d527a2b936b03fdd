import { Param, ParseUUIDPipe } from '@nestjs/common';
import { PostNotFoundException } from './post.errors.js';

/** The id of a post in the address; what is no UUID is no post. */
export const PostId = (): ParameterDecorator =>
  Param('id', new ParseUUIDPipe({ exceptionFactory: () => new PostNotFoundException() }));
