import { ParseUUIDPipe, type ArgumentMetadata } from '@nestjs/common';

/**
 * Takes a UUID of an address in any spelling, and hands it on in that of the database, in small letters: what is done
 * with it is compared with ids of rows, and logged under it.
 */
export class UuidPipe extends ParseUUIDPipe {
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<string | undefined> {
    return (await super.transform(value, metadata))?.toLowerCase();
  }
}
