import { BadRequestException } from '@nestjs/common';
import { isCanonicalBase64url } from '../shared/base64url.js';
import type { EnquiryRow } from './enquiry.entity.js';

/** The last row of a page of the list. */
type Position = Pick<EnquiryRow, 'createdAt' | 'id'>;

/** Milliseconds since 1970 and a UUID. */
const POSITION = /^(\d{1,15})_([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

/** Thrown for a cursor that no list has handed out. */
export class InvalidCursorException extends BadRequestException {
  constructor() {
    super({ code: 'invalid_cursor', message: 'This is no place in the list: start again from the top.' });
  }
}

/** Writes a place in the list as a cursor. */
export function toCursor({ createdAt, id }: Position): string {
  return Buffer.from(`${createdAt.getTime()}_${id}`).toString('base64url');
}

/** @throws InvalidCursorException */
export function toPosition(cursor: string): Position {
  const text = isCanonicalBase64url(cursor) ? Buffer.from(cursor, 'base64url').toString() : '';
  const [, time, id] = POSITION.exec(text) ?? [];
  if (time === undefined || id === undefined) throw new InvalidCursorException();
  return { createdAt: new Date(Number(time)), id };
}
