import type { AuthError, GoTrueClient, Session } from '@supabase/auth-js';
import type { Role } from '../../src/shared/contracts/roles.js';
import { ApiError, isAccessDenied, SessionExpiredError, toApiError, UnreachableError } from './api-errors.js';
import { inTime, PATIENCE_MS } from './patience.js';
import type { SessionPrompt } from './session-prompt.js';

/** The user for whom the admin area was opened. Everything in it is done in that name. */
export interface Person {
  readonly userId: string;
  readonly email: string;
  /** As the person gave it; empty without one. */
  readonly name: string;
  /** Null where nobody asked for it, outside the admin area. */
  readonly role: Role | null;
  /** True for who decides what readers see; the server decides it again at every call. */
  readonly mayPublish: boolean;
}

/** How a call behaves. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * For what the page does of its own accord, such as reading a list anew or an autosave: when the session has ended the
   * call fails without asking for the password. The page says so by itself, and reads everything anew afterward.
   */
  readonly isBackground?: boolean;
}

/** Body and query of a call. */
export interface RequestOptions extends CallOptions {
  /** Milliseconds after which an attempt is given up, {@link PATIENCE_MS} unless told. The time in which somebody types a password is none of it. */
  readonly patienceMs?: number;
  /** Parameters of the address; empty and missing ones are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

interface AdminApiParts {
  readonly auth: GoTrueClient;
  readonly person: Person;
  readonly prompt: SessionPrompt;
  /** Called when the API says that the person has no role in the admin area, or not that of the screen. */
  readonly onDenied: () => void;
}

/**
 * Calls to the API as one person. An access token that ran out is renewed; a session that ended is taken up again by
 * asking for the password in place, and the call that failed is made again: nothing that was typed is lost.
 */
export class AdminApi {
  private isDenied = false;

  constructor(private readonly parts: AdminApiParts) {}

  /** The user in whose name calls are made. */
  get person(): Person {
    return this.parts.person;
  }

  get<T>(path: string, options?: RequestOptions): Promise<T> {
    return this.request<T>('GET', path, options);
  }

  post<T>(path: string, body?: unknown, options?: RequestOptions): Promise<T> {
    return this.request<T>('POST', path, { ...options, body });
  }

  put<T>(path: string, body: unknown, options?: RequestOptions): Promise<T> {
    return this.request<T>('PUT', path, { ...options, body });
  }

  delete<T>(path: string, options?: RequestOptions): Promise<T> {
    return this.request<T>('DELETE', path, options);
  }

  /**
   * One call with a JSON answer; undefined when the answer is empty.
   * @throws ApiError when the API refuses, UnreachableError without an answer, SessionExpiredError when the session
   * ended and was not taken up again, and the signal's reason when it is aborted
   */
  request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    return this.withSession(async (token) => (await send(method, path, token, options)) as T, options);
  }

  /**
   * Runs a task with an access token, again with another one when it throws an ApiError of status 401. For calls that
   * `request` cannot make, such as uploads that report their progress.
   */
  async withSession<T>(task: (accessToken: string) => Promise<T>, { isBackground }: CallOptions = {}): Promise<T> {
    let spent: string | null = null;
    const sources = [() => this.currentToken(), () => this.renewedToken(spent), () => this.askedToken(isBackground)];
    for (const findToken of sources) {
      const token = await findToken();
      if (token === null) continue;
      try {
        const result = await task(token);
        this.parts.prompt.noteEnd(false);
        return result;
      } catch (error) {
        if (isAccessDenied(error)) this.deny();
        if (!(error instanceof ApiError) || error.status !== 401) throw error;
        spent = token;
      }
    }
    this.parts.prompt.noteEnd(true);
    throw new SessionExpiredError();
  }

  /**
   * Makes a change after which this person may do less, and tells of no call that is refused from then on: whoever makes it
   * leads them on when it is done.
   * @throws what the change throws; refusals are told of again then
   */
  async leave<T>(change: () => Promise<T>): Promise<T> {
    const { isDenied } = this;
    this.isDenied = true;
    try {
      return await change();
    } catch (error) {
      this.isDenied = isDenied;
      throw error;
    }
  }

  /** Once, however many calls are refused. */
  private deny(): void {
    if (!this.isDenied) this.parts.onDenied();
    this.isDenied = true;
  }

  private async currentToken(): Promise<string | null> {
    const { data, error } = await tokenInTime(this.parts.auth.getSession());
    return this.tokenOf(data.session, error);
  }

  /** Another token than the one that was refused: another call may have renewed it already. */
  private async renewedToken(spent: string | null): Promise<string | null> {
    const current = await this.currentToken();
    if (current === null || current !== spent) return current;
    const { data, error } = await tokenInTime(this.parts.auth.refreshSession());
    return this.tokenOf(data.session, error);
  }

  private async askedToken(isBackground = false): Promise<string | null> {
    if (isBackground || !(await this.parts.prompt.ask())) return null;
    return this.currentToken();
  }

  /** Another tab may have signed in as somebody else: what is done here is not to be done as them. */
  private tokenOf(session: Session | null, error: AuthError | null): string | null {
    if (error?.name === 'AuthRetryableFetchError') throw new UnreachableError(error.status ? 'server' : 'connection');
    return session?.user.id === this.parts.person.userId ? session.access_token : null;
  }
}

/**
 * Waits for a token, for which the client of the accounts itself waits without a limit. One that comes later serves the
 * next call.
 * @throws UnreachableError when the accounts have not answered in time
 */
export function tokenInTime<T>(asked: Promise<T>): Promise<T> {
  return inTime(asked, () => {
    throw new UnreachableError();
  });
}

async function send(method: string, path: string, token: string, options: RequestOptions): Promise<unknown> {
  const { query = {}, body, signal: given, patienceMs = PATIENCE_MS } = options;
  const limit = AbortSignal.timeout(patienceMs);
  const address = withQuery(path, query);
  const request = {
    method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body, withoutHalves) }),
  };
  const [response, text] = await withEither(given ? [given, limit] : [limit], async (signal) => {
    const answered = await fetch(address, { ...request, signal });
    return [answered, await answered.text()] as const;
  }).catch((error: unknown): never => {
    given?.throwIfAborted();
    throw new UnreachableError('connection', { cause: error });
  });
  const answer = parse(text);
  if (!response.ok) throw toApiError(response.status, answer);
  // A page of something in between, or half an answer: taken for ours, it would tell of what was not done.
  if (answer === undefined && text !== '') throw new UnreachableError('server');
  return answer;
}

/**
 * Runs a task with a signal that ends with the first of these, as one of `AbortSignal.any` does, which browsers that are
 * served do not have (product.md 2.18). A page may keep its own signal for long: nothing listens to it any more afterward.
 */
async function withEither<T>(signals: readonly AbortSignal[], task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const either = new AbortController();
  const follow = () => {
    const ended = signals.find(({ aborted }) => aborted);
    if (ended) either.abort(ended.reason);
  };
  for (const signal of signals) signal.addEventListener('abort', follow);
  // One that has ended already says so no more.
  follow();
  try {
    return await task(either.signal);
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', follow);
  }
}

/** An editor can cut a character in two. Half of one is no text, and would be refused. */
function withoutHalves(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : value;
}

function withQuery(path: string, query: NonNullable<RequestOptions['query']>): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries).toString()}`;
}

/** The value of a JSON text; undefined for anything else, which did not come from the API, or not whole. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
