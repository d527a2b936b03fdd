import { SetMetadata, type CustomDecorator } from '@nestjs/common';

/** Metadata key of {@link Public}. */
export const IS_PUBLIC = 'isPublic';

/** Opens a route, or all routes of a controller, to everyone. A route without it is closed. */
export const Public = (): CustomDecorator => SetMetadata(IS_PUBLIC, true);
