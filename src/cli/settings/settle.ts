import type { Config } from '../../config.ts';
import { readConfigFile } from './config-file.ts';
import { CONFIG_FILE, type Environment, environmentLayer } from './environment.ts';
import { flagLayer, inForce, type SettingsInForce } from './sources.ts';

/** The flags that were given: settings, and the file of settings. */
export type SettingFlags = Partial<Config> & { readonly config?: string };

/**
 * Returns all settings: a flag takes precedence over the environment, and that over the file.
 * Throws a `SettingError`.
 */
export function settle({ config, ...flags }: SettingFlags, environment: Environment): SettingsInForce {
  const inEnvironment = environmentLayer(environment);
  const file = config ?? environment[CONFIG_FILE];
  const inFile = file === undefined ? new Map() : readConfigFile(file);
  return inForce([inFile, inEnvironment, flagLayer(flags)]);
}
