import { Command, CommanderError, Option } from 'commander';
import { type Config, environmentName, type Setting, SettingError, settings } from '../config.ts';
import { didYouMean } from '../ldpath/syntax/suggestion.ts';
import { readVersion } from '../version.ts';
import { addDataCommands, type DataRequest } from './data-commands.ts';
import { addEval } from './eval/command.ts';
import type { EvalOptions } from './eval/options.ts';
import { addIndex } from './indexing/command.ts';
import type { IndexOptions } from './indexing/options.ts';
import { addMarmotta } from './marmotta/command.ts';
import type { MarmottaOptions } from './marmotta/options.ts';
import { type RetiredSetting, retiredSettings, retiredWarning } from './retired-settings.ts';
import { configOption, refusedOption, settingOption } from './setting-option.ts';
import { AUTHORIZATION, type Environment } from './settings/environment.ts';
import { configSchema } from './settings/json-schema.ts';
import { overviewJson, overviewText } from './settings/overview.ts';
import { type SettingFlags, settle } from './settings/settle.ts';
import { configOf, type SettingsInForce } from './settings/sources.ts';

/** A parsed command line. */
export type Request =
  /** `settings`: those of `config`, with their sources; `warnings`: lines to print first. */
  | {
      readonly kind: 'serve';
      readonly config: Config;
      readonly settings: SettingsInForce;
      readonly warnings: readonly string[];
    }
  | DataRequest
  /** Evaluate one program for many start resources. */
  | {
      readonly kind: 'eval';
      readonly options: EvalOptions;
      readonly config: Config;
      readonly warnings: readonly string[];
    }
  /** Keep a search index equal to the results of a stored program. */
  | { readonly kind: 'index'; readonly options: IndexOptions }
  /** Import the data of a Marmotta into a running server. */
  | { readonly kind: 'import-marmotta'; readonly options: MarmottaOptions }
  /** Read a password from standard input and print its hash. */
  | { readonly kind: 'hash-password' }
  /** Help, the version or an error: print `text` and exit with `status`. */
  | { readonly kind: 'exit'; readonly status: number; readonly text: string };

/** The default command, so the word is optional. */
const SERVE = 'serve';

/** `help COMMAND` stands for `COMMAND --help`. */
const HELP = 'help';

/** The command that shows the settings. */
const CONFIG = 'config';

const HELP_END = `
Each setting can also be given in the environment, under the name in brackets, and in a config file.
In the environment only: ${secretVariables().join(', ')}, for the log servers.
"pathpool help COMMAND" shows the options of a command.`;

interface ConfigFlags extends SettingFlags {
  readonly json?: true;
  readonly schema?: true;
}

/**
 * Parses arguments (without the program's name) and environment, and reads the config file. A flag
 * takes precedence over the environment, and that over the file.
 */
export function readCommandLine(args: readonly string[], environment: Environment): Request {
  const shown: string[] = [];
  let request: Request | undefined;
  const inEnvironment = retiredSettings.filter((each) => environment[environmentName(each)] !== undefined);
  const warnings = inEnvironment.map((each) => retiredWarning(environmentName(each), each));
  const command = buildCommand(shown).action((options: SettingFlags) => {
    const given = settle(options, environment);
    request = { kind: 'serve', config: configOf(given), settings: given, warnings };
  });
  for (const each of retiredSettings) command.addOption(retiredOption(each, warnings));
  command.hook('preSubcommand', requireOptionsBehind);
  const configWith = (flags: SettingFlags) => configOf(settle(flags, environment));
  addDataCommands(command, configWith, (given) => {
    request = given;
  });
  addConfig(command, (options) => {
    request = { kind: 'exit', status: 0, text: configText(options, environment) };
  });
  addEval(command, environment[AUTHORIZATION], (options, given) => {
    request = { kind: 'eval', options, config: configOf(settle(given, environment)), warnings };
  });
  addIndex(command, environment, (options) => {
    request = { kind: 'index', options };
  });
  addMarmotta(command, environment, (options) => {
    request = { kind: 'import-marmotta', options };
  });
  command
    .command('hash-password')
    .description('Read a password from standard input and print its hash, for a credential.')
    .action(() => {
      request = { kind: 'hash-password' };
    });
  try {
    requireKnownCommand(command, args[0] === HELP ? args.slice(1) : args);
    command.parse(plainArguments(args), { from: 'user' });
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

/** Returns the arguments in the form that Commander knows. */
function plainArguments([first, ...rest]: readonly string[]): string[] {
  if (first === HELP) return plainArguments([...rest, '--help']);
  if (first === SERVE) return rest;
  return first === undefined ? [] : [first, ...rest];
}

/** The server itself takes no arguments, so the first one must be the name of a command. */
function requireKnownCommand(command: Command, [first]: readonly string[]): void {
  if (first === undefined || first.startsWith('-')) return;
  const known = [SERVE, HELP, ...command.commands.map((each) => each.name())];
  if (known.includes(first)) return;
  const hint = first === 'version' ? '; did you mean "--version"?' : didYouMean(first, known);
  throw new SettingError(`unknown command '${first}'${hint}`);
}

/** Only `config` takes over what stands before its name; another command would ignore it. */
function requireOptionsBehind(server: Command, command: Command): void {
  const name = command.name();
  if (name === CONFIG || Object.keys(server.opts()).length === 0) return;
  throw new SettingError(`options of the command '${name}' must follow its name`);
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
    .addHelpText('after', HELP_END);
  return addSettings(command);
}

function addSettings(command: Command): Command {
  command.addOption(configOption());
  for (const setting of Object.values<Setting<unknown>>(settings)) {
    command.addOption(setting.environmentOnly ? refusedOption(setting) : settingOption(setting));
  }
  return command;
}

function addConfig(command: Command, use: (options: ConfigFlags) => void): void {
  const config = command
    .command(CONFIG)
    .description('Print the settings that the server would have, and where each value comes from.')
    .option('--json', 'Print them as JSON.')
    .option('--schema', 'Print the JSON Schema of config files instead.');
  addSettings(config).action((options: ConfigFlags) => use({ ...command.opts(), ...options }));
}

function configText({ json, schema, ...flags }: ConfigFlags, environment: Environment): string {
  if (schema) return `${JSON.stringify(configSchema(), null, 2)}\n`;
  const given = settle(flags, environment);
  return json ? overviewJson(given) : overviewText(given);
}

function retiredOption(setting: RetiredSetting, warnings: string[]): Option {
  const flag = `--${setting.flag}`;
  const note = () => void warnings.push(retiredWarning(flag, setting));
  return new Option(`${flag} <${setting.argument}>`).hideHelp().argParser(note);
}

function secretVariables(): string[] {
  const all = Object.values<Setting<unknown>>(settings);
  return all.filter(({ environmentOnly }) => environmentOnly).map(environmentName);
}
