import { Post } from '../posts/post.entity.js';
import { UserRole } from '../roles/user-role.entity.js';
import { Image } from '../uploads/image.entity.js';

/** Every entity of the product. The ORM and the migration generator read this list. */
export const entities = [Post, Image, UserRole];
