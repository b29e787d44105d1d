import { Command, CommanderError, Option } from 'commander';
import {
  type Config,
  environmentName,
  fillConfig,
  type Setting,
  SettingError,
  type SettingName,
  settings,
} from '../config.ts';
import { didYouMean } from '../ldpath/syntax/suggestion.ts';
import { readVersion } from '../version.ts';
import { addDataCommands, type DataRequest } from './data-commands.ts';
import { addEval } from './eval/command.ts';
import type { EvalOptions } from './eval/options.ts';
import { type RetiredSetting, retiredSettings, retiredWarning } from './retired-settings.ts';
import { settingOption } from './setting-option.ts';

/** A parsed command line. */
export type Request =
  /** `warnings`: lines to print first. */
  | { readonly kind: 'serve'; readonly config: Config; readonly warnings: readonly string[] }
  | DataRequest
  /** Evaluate one program for many start resources. */
  | {
      readonly kind: 'eval';
      readonly options: EvalOptions;
      readonly config: Config;
      readonly warnings: readonly string[];
    }
  /** Read a password from standard input and print its hash. */
  | { readonly kind: 'hash-password' }
  /** Help, the version or an error: print `text` and exit with `status`. */
  | { readonly kind: 'exit'; readonly status: number; readonly text: string };

/** The default command, so the word is optional. */
const SERVE = 'serve';

/** Not a setting of the server: `eval` sends it to a server. */
const AUTHORIZATION = 'PATHPOOL_AUTHORIZATION';

/**
 * Parses arguments (without the program's name) and environment. A flag takes precedence over the
 * environment.
 */
export function readCommandLine(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Request {
  const shown: string[] = [];
  let request: Request | undefined;
  const inEnvironment = retiredSettings.filter((each) => environment[environmentName(each)] !== undefined);
  const warnings = inEnvironment.map((each) => retiredWarning(environmentName(each), each));
  const command = buildCommand(shown).action((options: Partial<Config>) => {
    const config = fillConfig({ ...readEnvironment(environment), ...options });
    request = { kind: 'serve', config, warnings };
  });
  for (const each of retiredSettings) command.addOption(retiredOption(each, warnings));
  addDataCommands(command, (given) => {
    request = given;
  });
  addEval(command, environment[AUTHORIZATION], (options, given) => {
    const config = fillConfig({ ...readEnvironment(environment), ...given });
    request = { kind: 'eval', options, config, warnings };
  });
  command
    .command('hash-password')
    .description('Read a password from standard input and print its hash, for a credential.')
    .action(() => {
      request = { kind: 'hash-password' };
    });
  try {
    requireKnownCommand(command, args);
    command.parse(args[0] === SERVE ? args.slice(1) : [...args], { from: 'user' });
    return request ?? wrong('no command was given');
  } catch (error) {
    if (error instanceof SettingError) return wrong(error.message);
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'exit', status: 0, text: shown.join('') };
    return wrong(error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' '));
  }
}

function wrong(message: string): Request {
  return { kind: 'exit', status: 2, text: `pathpool: ${message} (see --help)\n` };
}

/** The server itself takes no arguments, so the first one must be the name of a command. */
function requireKnownCommand(command: Command, [first]: readonly string[]): void {
  if (first === undefined || first.startsWith('-')) return;
  const known = [SERVE, ...command.commands.map((each) => each.name())];
  if (known.includes(first)) return;
  const hint =
    first === 'help' || first === 'version' ? `; did you mean "--${first}"?` : didYouMean(first, known);
  throw new SettingError(`unknown command '${first}'${hint}`);
}

function buildCommand(shown: string[]): Command {
  const command = new Command('pathpool')
    .description('Linked-data server: named graphs, SPARQL, LDP, and LDPath in a pool of worker threads.')
    .usage('[serve] [options]\n       pathpool COMMAND …')
    .version(readVersion(), '--version', 'Show the version.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => shown.push(text), writeErr: () => {} })
    .allowExcessArguments(false)
    .enablePositionalOptions()
    .addHelpText('after', '\nEach setting can also be given in the environment, under the name in brackets.');
  for (const setting of Object.values(settings)) command.addOption(settingOption(setting));
  return command;
}

function retiredOption(setting: RetiredSetting, warnings: string[]): Option {
  const flag = `--${setting.flag}`;
  const note = () => void warnings.push(retiredWarning(flag, setting));
  return new Option(`${flag} <${setting.argument}>`).hideHelp().argParser(note);
}

function readEnvironment(environment: Readonly<Record<string, string | undefined>>): Partial<Config> {
  requireKnownNames(environment);
  const given: Partial<Record<SettingName, unknown>> = {};
  for (const [name, setting] of Object.entries(settings) as [SettingName, Setting<unknown>][]) {
    const variable = environmentName(setting);
    const value = environment[variable];
    if (value !== undefined) given[name] = readVariable(setting, variable, value);
  }
  return given as Partial<Config>;
}

/** Otherwise a mistyped name would silently have no effect. */
function requireKnownNames(environment: Readonly<Record<string, string | undefined>>): void {
  const known = [...[...Object.values(settings), ...retiredSettings].map(environmentName), AUTHORIZATION];
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
    throw new SettingError(`${variable}=${value} is invalid: ${error.message}.`);
  }
}
