import {
  type Config,
  fillConfig,
  type Setting,
  SettingError,
  type SettingName,
  settings,
} from '../../config.ts';
import { didYouMean } from '../../ldpath/syntax/suggestion.ts';
import { ServerError } from './reported-error.ts';

/**
 * The settings of docs/settings.md, by their names in camel case (`maxRdfBody` for
 * `--max-rdf-body`), with the same defaults. Sizes are numbers of bytes, times numbers of seconds.
 * The items of lists are texts as the flags take them (`load:
 * ['people.ttl=http://example.org/g']`).
 */
export type ServerOptions = {
  readonly [Name in SettingName]?:
    | (Config[Name] extends readonly unknown[] ? readonly string[] : Config[Name])
    | undefined;
};

/** Returns the whole configuration. @throws ServerError `bad-option` */
export function checkedConfig(options: ServerOptions): Config {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return fillConfig(Object.fromEntries(given.map(([name, value]) => [name, checked(name, value)])));
}

function checked(name: string, value: unknown): unknown {
  if (!Object.hasOwn(settings, name)) {
    throw badOption(`unknown option "${name}"${didYouMean(name, Object.keys(settings))}`);
  }
  const setting: Setting<unknown> = settings[name as SettingName];
  try {
    if (!setting.repeatable) return checkedValue(setting, value);
    if (!Array.isArray(value)) throw new SettingError('expected a list of texts');
    return value.flatMap((item: unknown) => checkedValue(setting, item));
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    throw badOption(`the option "${name}" is invalid: ${error.message}`);
  }
}

/** The flag's own check reads a text, so the type of the value is checked before. */
function checkedValue(setting: Setting<unknown>, value: unknown): unknown {
  const type = typeof setting.default;
  const expected = type === 'boolean' || type === 'number' ? type : 'string';
  if (typeof value === expected) return setting.read(String(value));
  throw new SettingError(`expected a ${expected}`);
}

function badOption(message: string): ServerError {
  return new ServerError('bad-option', `${message[0]!.toUpperCase()}${message.slice(1)}.`);
}
