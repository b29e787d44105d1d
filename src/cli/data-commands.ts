import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Config, type ContextFile, SettingError } from '../config.ts';
import { configOption, contextOption } from './setting-option.ts';

/** Commands for a data directory. */
export type DataRequest =
  | { readonly kind: 'inspect'; readonly directory: string; readonly record: number | undefined }
  | { readonly kind: 'check'; readonly directory: string }
  | {
      readonly kind: 'export';
      readonly directory: string;
      readonly graph: string | undefined;
      /** Output file; standard output when undefined. */
      readonly out: string | undefined;
    }
  | { readonly kind: 'backup'; readonly directory: string; readonly target: string }
  | {
      readonly kind: 'load';
      readonly directory: string;
      readonly files: readonly string[];
      readonly graph: string | undefined;
      readonly context: readonly ContextFile[];
    };

interface Flags {
  readonly config?: string;
  readonly record?: number;
  readonly graph?: string;
  readonly out?: string;
  readonly context?: readonly ContextFile[];
}

/** What a data command was given: `rest` are the arguments behind the directory. */
interface Given {
  readonly directory: string;
  readonly rest: readonly string[];
  readonly flags: Flags;
  readonly config: Config | undefined;
}

/**
 * Adds the commands to the command line, which passes the chosen one to `use`. `configIn` returns
 * the settings with a config file.
 */
export function addDataCommands(
  command: Command,
  configIn: (file: string) => Config,
  use: (request: DataRequest) => void,
): void {
  const add = (name: string, description: string) =>
    command
      .command(name)
      .description(description)
      .configureHelp({ showGlobalOptions: false })
      .argument('[DIRECTORY]', 'Data directory; with --config it is left out.')
      .addOption(configOption());
  const given = (flags: Flags, { args }: Command): Given => {
    const config = flags.config === undefined ? undefined : configIn(flags.config);
    if (config) return { directory: dataOf(config), rest: args, flags, config };
    const [directory, ...rest] = args;
    return { directory: required(directory, 'DIRECTORY'), rest, flags, config };
  };
  add(
    'inspect',
    'Show the files of a data directory and what the server would find at start-up. Changes nothing.',
  )
    .addOption(
      new Option('--record <NUMBER>', 'Print this record: one transaction, as RDF Patch.').argParser(
        readNumber,
      ),
    )
    .action((_, flags: Flags, command: Command) => {
      const { directory } = alone(given(flags, command));
      use({ kind: 'inspect', directory, record: flags.record });
    });
  add('check', 'Verify a data directory that no server uses. Changes nothing.').action(
    (_, flags: Flags, command: Command) =>
      use({ kind: 'check', directory: alone(given(flags, command)).directory }),
  );
  add('export', 'Write the data of a directory that no server uses as N-Quads. Changes nothing.')
    .option('--graph <IRI>', 'Export only this graph.')
    .option('--out <FILE>', 'Output file; by default standard output.')
    .action((_, flags: Flags, command: Command) => {
      const { directory } = alone(given(flags, command));
      use({ kind: 'export', directory, graph: flags.graph, out: flags.out });
    });
  add('backup', 'Copy a data directory, even while a server uses it, and verify the copy.')
    .argument('[TARGET]', 'New or empty directory.')
    .action((_directory, _target, flags: Flags, command: Command) => {
      const { directory, rest } = given(flags, command);
      const [target, ...more] = rest;
      requireNone(more);
      use({ kind: 'backup', directory, target: required(target, 'TARGET') });
    });
  add('load', 'Load RDF files into a new or existing data directory that no server uses.')
    .argument(
      '[FILE...]',
      'In any RDF format that the server reads, recognised by the extension; .gz may follow it.',
    )
    .option('--graph <IRI>', 'Graph for statements that name none; by default the default context.')
    .addOption(contextOption())
    .action((_directory, _files, flags: Flags, command: Command) => {
      const { directory, rest, config } = given(flags, command);
      required(rest[0], 'FILE');
      const context = flags.context ?? config?.context ?? [];
      use({ kind: 'load', directory, files: rest, graph: flags.graph, context });
    });
}

function dataOf({ memory, data }: Config): string {
  if (memory) throw new SettingError('with the setting memory there is no data directory');
  return data;
}

function alone(given: Given): Given {
  requireNone(given.rest);
  return given;
}

function requireNone([first]: readonly string[]): void {
  if (first !== undefined) throw new SettingError(`too many arguments: '${first}'`);
}

function required(given: string | undefined, name: string): string {
  if (given === undefined) throw new SettingError(`missing required argument '${name}'`);
  return given;
}

function readNumber(value: string): number {
  if (/^[1-9]\d{0,14}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Expected the number of a record.');
}
