/** Anything may be thrown, even an object without a prototype. */
type Thrown = Partial<AggregateError> & { readonly code?: unknown; readonly constructor?: { readonly name?: string } };

/** Causes of causes; one that is its own would have no end. */
const MAX_DEPTH = 5;
/** SQLSTATE classes data exception and integrity constraint violation, whose messages quote input. */
const QUOTING_STATE = /^2[23]...$/;

/** An error as the log shows it. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  /** Places in the code only: the first line would be the message again. */
  readonly stack: string;
  readonly cause?: LoggedError;
  readonly errors?: readonly LoggedError[];
}

/**
 * Describes an error without quotations of input: the driver's errors carry rows and parameters, and those of parsers
 * pieces of the text.
 */
export function toLoggedError(error: unknown, depth = 0): LoggedError | undefined {
  if (error === undefined || error === null || depth > MAX_DEPTH) return undefined;
  if (typeof error !== 'object') return { type: typeof error, message: withoutQuotes(`${error as string}`), stack: '' };
  const { message = '', stack = '', code, cause, errors, constructor } = error as Thrown;
  const type = constructor?.name ?? 'Error';
  const inner = Array.isArray(errors) ? errors.flatMap((each) => toLoggedError(each, depth + 1) ?? []) : [];
  const because = toLoggedError(cause, depth + 1);
  return {
    type,
    message: withoutQuotes(String(message), type === 'SyntaxError' || QUOTING_STATE.test(String(code))),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    stack: framesOf(String(stack)),
    ...(because ? { cause: because } : {}),
    ...(inner.length > 0 ? { errors: inner } : {}),
  };
}

/** Removes mail addresses and tokens, and texts in quotes where these are input. */
function withoutQuotes(message: string, isQuoting = false): string {
  const named = message.replace(/[^\s"'<>(),;:]+@[^\s"'<>(),;:]+/g, '...').replace(/\beyJ[\w-]+(?:\.[\w-]+)*/g, '...');
  return isQuoting ? named.replace(/"[^]*"|'[^]*'|\([^]*\)/g, '"..."') : named;
}

function framesOf(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
}
