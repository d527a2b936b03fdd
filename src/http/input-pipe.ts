import { BadRequestException, ValidationPipe, type HttpException } from '@nestjs/common';
import type { ValidationError } from 'class-validator';

/**
 * The pipe that checks bodies and queries by the class in the signature of their handler (decision 46). Handlers get an
 * instance of it, without properties that it does not have. Of several broken rules of a field the first is told.
 * @param toException what the room answers; the errors name their `target`
 */
export function inputPipe(
  toException: (errors: readonly ValidationError[]) => HttpException = toBadRequest,
): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    stopAtFirstError: true,
    validationError: { target: true },
    exceptionFactory: toException,
  });
}

/** The first broken rule of each field, in the order of the fields. */
export function problemsOf(errors: readonly ValidationError[]): { readonly field: string; readonly message: string }[] {
  return errors.map(({ property, constraints = {} }) => ({
    field: property,
    message: Object.values(constraints)[0] ?? 'is not valid',
  }));
}

function toBadRequest(errors: readonly ValidationError[]): HttpException {
  return new BadRequestException({ code: 'validation_failed', message: problemsOf(errors)[0]?.message });
}
