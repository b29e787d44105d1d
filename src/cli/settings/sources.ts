import { type Config, type SettingName, settings } from '../../config.ts';

/** Where the value of a setting comes from. */
export interface Source {
  /** `program`: the one that created the server. */
  readonly kind: 'default' | 'file' | 'environment' | 'flag' | 'program';
  /** The place in the file, the variable or the flag. */
  readonly at?: string;
}

/** A value that was read and checked. */
export interface Given {
  readonly value: unknown;
  readonly source: Source;
}

/** The settings that one place gives. */
export type Layer = ReadonlyMap<SettingName, Given>;

/** All settings, each with its source. */
export type SettingsInForce = Readonly<Record<SettingName, Given>>;

/** Takes each setting from the last layer that has it, as a whole: lists are not joined. */
export function inForce(layers: readonly Layer[]): SettingsInForce {
  const entries = (Object.keys(settings) as SettingName[]).map((name) => {
    const given = layers.findLast((layer) => layer.has(name))?.get(name);
    return [name, given ?? { value: settings[name].default, source: { kind: 'default' } }];
  });
  return Object.fromEntries(entries) as SettingsInForce;
}

/** Returns the settings of a server that was created by a program. */
export function givenByProgram(config: Config): SettingsInForce {
  const source = { kind: 'program' } as const;
  const names = (Object.keys(settings) as SettingName[]).filter((name) => isChanged(name, config[name]));
  return inForce([new Map(names.map((name) => [name, { value: config[name], source }]))]);
}

function isChanged(name: SettingName, value: unknown): boolean {
  return JSON.stringify(value) !== JSON.stringify(settings[name].default);
}

export function configOf(given: SettingsInForce): Config {
  const values = Object.entries(given).map(([name, { value }]) => [name, value]);
  return Object.freeze(Object.fromEntries(values)) as Config;
}

/** Returns the layer of the flags. Other options may be among them. */
export function flagLayer(options: Partial<Config>): Layer {
  const names = (Object.keys(options) as SettingName[]).filter((name) => name in settings);
  const entries = names.map((name) => [name, options[name]] as const);
  return new Map(entries.map(([name, value]) => [name, { value, source: flagSource(name) }]));
}

function flagSource(name: SettingName): Source {
  return { kind: 'flag', at: `--${settings[name].flag}` };
}
