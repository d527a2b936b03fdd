type Shell = Readonly<Record<string, string | undefined>>;

/** The parts of a service that tests examine. */
export interface Service {
  readonly image?: string;
  readonly build?: string;
  /** Null passes on what the shell has. */
  readonly environment?: Readonly<Record<string, string | number | null>>;
  readonly healthcheck?: { readonly start_period?: string; readonly test?: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
  readonly command?: readonly string[];
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly logging?: object;
}

/** A file of Compose, parsed. */
export interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/**
 * Interpolates a value as Compose does: `${NAME:-default}` also for blank variables, `${NAME-default}` for unset ones,
 * and `${NAME:?error}`. Defaults may be nested.
 */
export function interpolate(value: string, shell: Shell): string {
  const innermost = /\$\{(\w+)(?:(:?)([-?])([^${}]*))?\}/;
  for (let rest = value; ;) {
    const [whole, name = '', colon, kind, text = ''] = innermost.exec(rest) ?? [];
    if (whole === undefined) return rest;
    const isGiven = colon ? Boolean(shell[name]) : shell[name] !== undefined;
    if (!isGiven && kind === '?') throw new Error(`${name}: ${text}`);
    rest = rest.replace(whole, () => (isGiven ? (shell[name] ?? '') : text));
  }
}

/** The environment of a container. */
export function environmentOf({ environment = {} }: Service, shell: Shell): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value === null ? shell[name] : interpolate(String(value), shell),
    ]),
  );
}
