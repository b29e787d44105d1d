import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ClusterSettings } from '../cluster/settings.ts';
import { type Config, type ContextFile, isUrl, SettingError, settings } from '../config.ts';
import { logSettings } from '../startup/cluster-settings.ts';
import {
  addRepositoryOptions,
  addRestore,
  type RepositoryFlags,
  type RepositoryRequest,
  repositoryOptions,
} from './backups/command.ts';
import type { RepositoryOptions } from './backups/options.ts';
import { configOption, contextOption, settingOption } from './setting-option.ts';
import type { SettingFlags } from './settings/settle.ts';

/** Commands for the data of a cluster. */
export type ClusterRequest =
  | { readonly kind: 'inspect-cluster' | 'check-cluster'; readonly cluster: ClusterSettings }
  | { readonly kind: 'backup-cluster'; readonly cluster: ClusterSettings; readonly target: string }
  | { readonly kind: 'import'; readonly directory: string; readonly cluster: ClusterSettings };

/** Commands for a data directory, or for a cluster. */
export type DataRequest =
  | ClusterRequest
  | RepositoryRequest
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
      readonly kind: 'backup-repository';
      readonly directory: string;
      readonly target: string;
      readonly options: RepositoryOptions;
    }
  | {
      readonly kind: 'load';
      readonly directory: string;
      readonly files: readonly string[];
      readonly graph: string | undefined;
      readonly context: readonly ContextFile[];
    };

interface Flags extends RepositoryFlags, Pick<SettingFlags, 'config' | (typeof logSettingNames)[number]> {
  readonly record?: number;
  readonly graph?: string;
  readonly out?: string;
  readonly context?: readonly ContextFile[];
}

/** Settings of commands that reach the log of a cluster. */
const logSettingNames = [
  'natsCredentials',
  'natsCa',
  'natsCertificate',
  'natsKey',
  'clusterReplicas',
] as const;
const CLUSTER_HELP =
  'In its place: the URL of the shared journal of a cluster, nats://HOST:PORT,…/NAME or tls://….';

const NO_CLUSTER =
  '--every and --keep need a data directory. For a cluster, make whole copies: pathpool backup nats://… COPY, without them';

/** What a data command was given: `rest` are the arguments behind the place of the data. */
interface Given {
  /** A data directory, unless it is a cluster. */
  readonly directory: string;
  readonly cluster: ClusterSettings | undefined;
  readonly rest: readonly string[];
  readonly flags: Flags;
  readonly config: Config | undefined;
}

/**
 * Adds the commands to the command line, which passes the chosen one to `use`. `configWith` returns
 * all settings with these flags.
 */
export function addDataCommands(
  command: Command,
  configWith: (flags: SettingFlags) => Config,
  use: (request: DataRequest) => void,
): void {
  const add = (name: string, description: string) =>
    command
      .command(name)
      .description(description)
      .configureHelp({ showGlobalOptions: false })
      .argument('[DIRECTORY]', 'Data directory; with --config it is left out.')
      .addOption(configOption());
  const clusterAt = (url: string, flags: Flags) => {
    const journal = settings.journal.read(url)!;
    return logSettings(journal, configWith({ ...logFlags(flags), journal }));
  };
  const given = (flags: Flags, { args }: Command): Given => {
    const { config: file } = flags;
    const config = file === undefined ? undefined : configWith({ ...logFlags(flags), config: file });
    const cluster = config?.journal && logSettings(config.journal, config);
    if (config) return { directory: cluster ? '' : dataOf(config), cluster, rest: args, flags, config };
    const [first, ...rest] = args;
    const directory = required(first, 'DIRECTORY');
    return {
      directory,
      cluster: isUrl(directory) ? clusterAt(directory, flags) : undefined,
      rest,
      flags,
      config,
    };
  };
  withLog(
    add(
      'inspect',
      'Show the files of a data directory and what the server would find at start-up. Changes nothing.',
    ),
  )
    .addOption(
      new Option('--record <NUMBER>', 'Print this record: one transaction, as RDF Patch.').argParser(
        readNumber,
      ),
    )
    .action((_, flags: Flags, command: Command) => {
      const { directory, cluster } = alone(given(flags, command));
      if (cluster && flags.record !== undefined) throw new SettingError('--record needs a data directory');
      if (cluster) use({ kind: 'inspect-cluster', cluster });
      else use({ kind: 'inspect', directory, record: flags.record });
    });
  withLog(add('check', 'Verify a data directory that no server uses. Changes nothing.')).action(
    (_, flags: Flags, command: Command) => {
      const { directory, cluster } = alone(given(flags, command));
      use(cluster ? { kind: 'check-cluster', cluster } : { kind: 'check', directory });
    },
  );
  add('export', 'Write the data of a directory that no server uses as N-Quads. Changes nothing.')
    .option('--graph <IRI>', 'Export only this graph.')
    .option('--out <FILE>', 'Output file; by default standard output.')
    .action((_, flags: Flags, command: Command) => {
      const directory = directoryOf(alone(given(flags, command)));
      use({ kind: 'export', directory, graph: flags.graph, out: flags.out });
    });
  const backup = add('backup', 'Copy a data directory, even while a server uses it, and verify the copy.');
  addRepositoryOptions(
    withLog(backup).argument('[TARGET]', 'New or empty directory, or a backup repository.'),
  ).action((_directory, _target, flags: Flags, command: Command) => {
    const { directory, cluster, rest } = given(flags, command);
    const [place, ...more] = rest;
    requireNone(more);
    const target = required(place, 'TARGET');
    const options = repositoryOptions(flags);
    if (cluster && options) throw new SettingError(NO_CLUSTER);
    if (options) use({ kind: 'backup-repository', directory, target, options });
    else use(cluster ? { kind: 'backup-cluster', cluster, target } : { kind: 'backup', directory, target });
  });
  addRestore(command, use);
  const importing = command
    .command('import')
    .description('Begin a cluster with the data of a directory that no server uses.')
    .configureHelp({ showGlobalOptions: false })
    .argument('<DIRECTORY>', 'Data directory. It is not changed.')
    .argument('[URL]', 'nats://HOST:PORT,…/NAME or tls://…; with --config it is left out.')
    .addOption(configOption());
  for (const name of logSettingNames) importing.addOption(settingOption(settings[name]));
  importing.action((directory: string, url: string | undefined, flags: Flags, command: Command) => {
    const { config: file } = flags;
    const config = file === undefined ? undefined : configWith({ ...logFlags(flags), config: file });
    const cluster = config?.journal && url === undefined ? logSettings(config.journal, config) : undefined;
    requireNone(command.args.slice(2));
    use({ kind: 'import', directory, cluster: cluster ?? clusterAt(required(url, 'URL'), flags) });
  });
  add('load', 'Load RDF files into a new or existing data directory that no server uses.')
    .argument(
      '[FILE...]',
      'In any RDF format that the server reads, recognised by the extension; .gz may follow it.',
    )
    .option('--graph <IRI>', 'Graph for statements that name none; by default the default context.')
    .addOption(contextOption())
    .action((_directory, _files, flags: Flags, command: Command) => {
      const all = given(flags, command);
      const directory = directoryOf(all);
      const { rest, config } = all;
      required(rest[0], 'FILE');
      const context = flags.context ?? config?.context ?? [];
      use({ kind: 'load', directory, files: rest, graph: flags.graph, context });
    });
}

function dataOf({ memory, data }: Config): string {
  if (memory) throw new SettingError('with the setting memory there is no data directory');
  return data;
}

/** Adds the settings that a command needs to reach the log of a cluster. */
function withLog(command: Command): Command {
  command.addHelpText('after', `\n${CLUSTER_HELP}`);
  for (const name of logSettingNames) {
    if (name !== 'clusterReplicas') command.addOption(settingOption(settings[name]));
  }
  return command;
}

function logFlags(flags: Flags): SettingFlags {
  return Object.fromEntries(
    logSettingNames.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])),
  );
}

function directoryOf({ directory, cluster }: Given): string {
  if (!cluster) return directory;
  throw new SettingError('a data directory is needed: make one with pathpool backup');
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
