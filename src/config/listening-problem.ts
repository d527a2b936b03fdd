/** The address at which a server was to listen, and the variables that say so. */
interface ListeningPlace {
  readonly host: string;
  readonly port: number;
  /** Stands before HOST and PORT in the names of the variables. */
  readonly prefix?: string;
}

/**
 * Explains why a server cannot listen, by the variable to set.
 * @returns the error itself where it is about something else
 */
export function explainListening(error: unknown, { host, port, prefix = '' }: ListeningPlace): unknown {
  const { code, syscall, hostname } = (error ?? {}) as NodeJS.ErrnoException & { readonly hostname?: string };
  if (code === 'EADDRINUSE') return new Error(`Port ${port} is taken: set ${prefix}PORT to another one.`);
  // A worker is told by the process that watches it, which binds; errors of other connections are about other variables.
  const isAboutPlace = syscall === 'listen' || syscall === 'bind' || (syscall === 'getaddrinfo' && hostname === host);
  if (!isAboutPlace) return error;
  if (code === 'EACCES')
    return new Error(
      `Port ${port} is not for this user: set ${prefix}PORT to one above 1023, and let a proxy have it.`,
    );
  return new Error(
    `${host} is no address at which this machine can listen (${code}): set ${prefix}HOST to one that it has, or to ` +
      '0.0.0.0 for all of them.',
  );
}
