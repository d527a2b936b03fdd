import { ConfigError, loadConfig, readEnvironment, type Config, type Variables } from '../config/config.js';

/** A configuration that may be wrong in parts. */
export interface ExaminedConfig {
  /** One line per wrong or missing variable, beginning with its name. */
  readonly problems: readonly string[];
  /** The configuration of the other variables; null when it cannot be read. */
  readonly config: Config | null;
}

/**
 * Reads the configuration so that one bad variable does not keep the others from being used.
 * @param given the variables; those of the process and of its .env file if left out
 */
export function examineConfig(given?: Variables): ExaminedConfig {
  let environment = given;
  try {
    environment ??= readEnvironment();
    return { problems: [], config: loadConfig(environment) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // Of a file that cannot be read nobody knows what else it says.
    const config = environment === undefined ? null : loadRest(environment, error.problems);
    return { problems: error.problems, config };
  }
}

/** The name of the variable that a problem is about. */
export function variableOf(problem: string): string {
  return problem.split(':')[0] ?? '';
}

/** Loads the configuration without bad variables, and without those that become bad without them. */
function loadRest(environment: Variables, problems: readonly string[]): Config | null {
  const bad = new Set(problems.map(variableOf));
  const rest = Object.fromEntries(Object.entries(environment).filter(([name]) => !bad.has(name)));
  const lacksKeys = [...bad].some((name) => /^S3_(?:SECRET_)?ACCESS_KEY/.test(name));
  try {
    // Development asks for nothing: what is missing gets a default, which nobody looks at.
    const config = loadConfig({
      ...rest,
      NODE_ENV: 'development',
      STORAGE_DRIVER: lacksKeys ? 'folder' : rest['STORAGE_DRIVER'],
    });
    return rest['NODE_ENV'] === 'production' ? asInProduction(config) : config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const isNew = error.problems.some((problem) => !bad.has(variableOf(problem)));
    return isNew ? loadRest(environment, [...problems, ...error.problems]) : null;
  }
}

/** Returns a configuration as production has it, where examples instead of a company, or no backup, are not well. */
function asInProduction(config: Config): Config {
  return { ...config, mode: 'production', site: { ...config.site, showsPlaceholders: false } };
}
