import { IsString, Matches, MaxLength } from 'class-validator';

/** An image on another site that is to be stored here. */
export class RemoteImageInput {
  /**
   * Its address there, http or https.
   * @example "https://example.com/a.png"
   */
  @Matches(/^https?:\/\/\S+$/i, { message: 'The address begins with http:// or https://' })
  @MaxLength(8000, { message: 'The address is too long' })
  @IsString({ message: 'The address is missing' })
  url: string;
}
