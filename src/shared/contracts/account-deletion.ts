import { Transform } from 'class-transformer';
import { Equals, IsOptional, IsString, MaxLength } from 'class-validator';
import { DELETION_WORDS } from '../limits.js';

/** Wish to delete the account that asks. */
export class AccountDeletion {
  /** `delete my account`, in any case of letters. */
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim().toLowerCase() : value))
  @Equals(DELETION_WORDS, { message: `Type in: ${DELETION_WORDS}` })
  confirmation!: string;

  /** Needed unless a second factor was shown in this session that was there before it. */
  @IsOptional()
  @IsString({ message: 'must be a text' })
  @MaxLength(1000)
  password: string = '';
}
