import { IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';

/** A read of a post, as the page tells it after it was shown. */
export class ReadInput {
  @IsString({ message: 'The slug is missing' })
  @MaxLength(200, { message: 'The slug is too long' })
  slug: string;

  /** Host name of the other site that led here; empty for none. */
  @IsString({ message: 'The host name is missing' })
  @MaxLength(300, { message: 'The host name is too long' })
  from: string;
}

/** The post of which reads are wanted. */
export class ReadQuery {
  /** Id of a post; all of them without one. */
  @IsOptional()
  @IsUUID(undefined, { message: 'The id is not valid' })
  post?: string;
}

/** The reads of a day. */
export class DayOfReads {
  /** 'YYYY-MM-DD' in the zone of the site. */
  readonly day: string;

  readonly count: number;
}

/** The reads of a month. */
export class MonthOfReads {
  /** 'YYYY-MM' in the zone of the site. */
  readonly month: string;

  readonly count: number;
}

/** The reads of people that another site led here. */
export class ReadReferrer {
  /** `others` for those above the limits of a day. */
  readonly host: string;

  readonly count: number;
}

/** A post of which reads were counted. */
export class NamedPost {
  readonly id: string;

  readonly title: string;
}

/** The reads of a post. */
export class ReadPost extends NamedPost {
  readonly count: number;
}

/** How often posts were read. */
export class ReadReport {
  /** The post that was asked for; null for all of them. */
  readonly post: NamedPost | null;

  /** The last 30 days, the oldest first. */
  readonly days: DayOfReads[];

  /** The last 24 months that had reads, the newest first. */
  readonly months: MonthOfReads[];

  /** The 20 sites that led most people here in these days. */
  readonly referrers: ReadReferrer[];

  /** The 20 posts that were read most in these days. */
  readonly posts: ReadPost[];
}
