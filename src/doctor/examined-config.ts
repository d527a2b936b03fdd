import { ConfigError, loadConfig, readEnvironment, type Config } from '../config/config.js';

/** A configuration that may be wrong in parts. */
export interface ExaminedConfig {
  /** One line per wrong or missing variable, beginning with its name. */
  readonly problems: readonly string[];
  /** What the other variables say; null if that cannot be told. */
  readonly config: Config | null;
}

/** Reads the configuration so that one bad variable does not keep the others from being used. */
export function examineConfig(environment = readEnvironment()): ExaminedConfig {
  try {
    return { problems: [], config: loadConfig(environment) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { problems: error.problems, config: loadRest(environment, error.problems) };
  }
}

/** The name of the variable that a problem is about. */
export function variableOf(problem: string): string {
  return problem.split(':')[0] ?? '';
}

function loadRest(environment: Readonly<Record<string, string | undefined>>, problems: readonly string[]) {
  const bad = new Set(problems.map(variableOf));
  const rest = Object.fromEntries(Object.entries(environment).filter(([name]) => !bad.has(name)));
  try {
    // Development asks for nothing: what is missing gets a default, which nobody looks at.
    return loadConfig({
      ...rest,
      NODE_ENV: 'development',
      STORAGE_DRIVER:
        bad.has('S3_ACCESS_KEY_ID') || bad.has('S3_SECRET_ACCESS_KEY') ? 'folder' : rest['STORAGE_DRIVER'],
    });
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}
