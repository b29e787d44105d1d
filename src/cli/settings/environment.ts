import { environmentName, type Setting, SettingError, type SettingName, settings } from '../../config.ts';
import { didYouMean } from '../../ldpath/syntax/suggestion.ts';
import { retiredSettings } from '../retired-settings.ts';
import type { Given, Layer } from './sources.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Not a setting of the server: `eval` and `index` send it to a server. */
export const AUTHORIZATION = 'PATHPOOL_AUTHORIZATION';

/** The same: `index` sends it to the search server. */
export const TARGET_AUTHORIZATION = 'PATHPOOL_TARGET_AUTHORIZATION';

/** The file of settings, which `--config` overrides. */
export const CONFIG_FILE = 'PATHPOOL_CONFIG';

/** Returns the settings in the environment. */
export function environmentLayer(environment: Environment): Layer {
  requireKnownNames(environment);
  const given = new Map<SettingName, Given>();
  for (const [name, setting] of Object.entries(settings) as [SettingName, Setting<unknown>][]) {
    const variable = environmentName(setting);
    const value = environment[variable];
    if (value === undefined) continue;
    const source = { kind: 'environment', at: variable } as const;
    given.set(name, { value: readVariable(setting, variable, value), source });
  }
  return given;
}

/** Otherwise a mistyped name would silently have no effect. */
function requireKnownNames(environment: Environment): void {
  const ofSettings = [...Object.values(settings), ...retiredSettings].map(environmentName);
  const known = [...ofSettings, AUTHORIZATION, TARGET_AUTHORIZATION, CONFIG_FILE];
  for (const name of Object.keys(environment)) {
    if (!name.startsWith('PATHPOOL_') || known.includes(name)) continue;
    throw new SettingError(`unknown environment variable '${name}'${didYouMean(name, known)}`);
  }
}

function readVariable(setting: Setting<unknown>, variable: string, value: string): unknown {
  try {
    if (!setting.repeatable) return setting.read(value);
    return value.split(',').flatMap((part) => setting.read(part) as unknown[]);
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const shown = setting.secret || setting.secretIfInvalid ? variable : `${variable}=${value}`;
    throw new SettingError(`${shown} is invalid: ${error.message}.`);
  }
}
