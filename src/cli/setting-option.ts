import { InvalidArgumentError, Option } from 'commander';
import { environmentName, type Setting, SettingError, settings, shownDefault } from '../config.ts';
import { CONFIG_FILE } from './settings/environment.ts';

/** Returns the option of the command line for a setting. */
export function settingOption(setting: Setting<unknown>): Option {
  const place = `[${environmentName(setting)}; default: ${shownDefault(setting)}]`;
  return optionWith(setting, `${setting.explanation} ${place}`);
}

/** Returns the option in place of a setting that has none: it says what to do instead. */
export function refusedOption(setting: Setting<unknown>): Option {
  const refuse = () => {
    const variable = environmentName(setting);
    throw new SettingError(
      `--${setting.flag} would be seen by other users: set ${variable} in the environment`,
    );
  };
  return new Option(`--${setting.flag} <${setting.argument}>`).hideHelp().argParser(refuse);
}

/** Returns the option for the file of settings. */
export function configOption(): Option {
  return new Option(
    '--config <FILE>',
    `File of settings, JSON or YAML; flags and the environment take precedence. [${CONFIG_FILE}]`,
  );
}

/** Returns the option `--context` of a command that reads files. */
export function contextOption(): Option {
  return optionWith(settings.context, 'Context that JSON-LD files may name by its URL, and its file.');
}

function optionWith(setting: Setting<unknown>, explanation: string): Option {
  const flags = setting.argument ? `--${setting.flag} <${setting.argument}>` : `--${setting.flag}`;
  const option = new Option(flags, explanation);
  return setting.argument
    ? option.argParser((value, before) => readArgument(setting, value, before))
    : option;
}

function readArgument(
  setting: Pick<Setting<unknown>, 'flag' | 'read' | 'repeatable' | 'secretIfInvalid'>,
  value: string,
  before: unknown,
): unknown {
  try {
    const read = setting.read(value);
    return setting.repeatable && Array.isArray(before) ? before.concat(read) : read;
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    // Commander adds the value to the message of its own error.
    if (setting.secretIfInvalid) throw new SettingError(`--${setting.flag} is invalid: ${error.message}`);
    throw new InvalidArgumentError(`${capitalised(error.message)}.`);
  }
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
