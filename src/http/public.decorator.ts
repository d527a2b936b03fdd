import { SetMetadata, type CustomDecorator } from '@nestjs/common';

/** The users that a route admits. */
export type Access = 'public' | 'signed-in' | 'author' | 'admin' | 'service-role';

/** Metadata key of the {@link Access} that a route, or its controller, declares. */
export const ACCESS = 'access';

/** Opens a route, or all routes of a controller, to everyone. A route that declares nothing is closed. */
export const Public = (): CustomDecorator => SetMetadata(ACCESS, 'public' satisfies Access);
