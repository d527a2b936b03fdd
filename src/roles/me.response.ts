import { ApiProperty } from '@nestjs/swagger';
import type { Me } from '../shared/contracts/me.js';

/** Documents {@link Me}. */
export class MeResponse implements Me {
  @ApiProperty({ format: 'uuid' })
  readonly id: string;

  @ApiProperty({ type: String, nullable: true, description: 'null for accounts without one' })
  readonly email: string | null;

  @ApiProperty({ description: 'whether the account is an administrator at this moment' })
  readonly is_admin: boolean;
}
