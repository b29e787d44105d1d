import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ContextFile, SettingError } from '../../config.ts';
import { configOption, contextOption } from '../setting-option.ts';
import type { SettingFlags } from '../settings/settle.ts';
import type { EvalOptions, Source, Starts } from './options.ts';

interface Given {
  readonly program?: string;
  readonly data?: readonly string[];
  readonly server?: string;
  readonly uris?: string;
  readonly type?: string;
  readonly out?: string;
  readonly context?: readonly ContextFile[];
  readonly config?: string;
}

const HELP = `
Prints one line of JSON per start resource, in their order: {"uri", "result"}, with "filter" and "boost" if the
program has @filter and @boost, or {"uri", "error"}. Without --uris and --type every subject that is an IRI is a start
resource (with --data only). Exit status: 0; 1 if a start resource has an error; 2 if the evaluation could not begin.
Limits are the server's settings, from --config and the environment (PATHPOOL_EVALUATION_TIME and so on). With --server,
PATHPOOL_AUTHORIZATION is sent as the Authorization header.`;

/**
 * Adds the subcommand `eval`. `authorization`: the value of that header for a server. `use` also
 * receives the settings that were given.
 */
export function addEval(
  command: Command,
  authorization: string | undefined,
  use: (options: EvalOptions, settings: SettingFlags) => void,
): void {
  command
    .command('eval')
    .description('Evaluate an LDPath program from many start resources, on files or on a running server.')
    .option('--program <FILE>', 'File of the program.')
    .option('--data <FILE...>', 'RDF files to load into memory; triples go to the default context.')
    .addOption(
      new Option('--server <URL>', 'Base URL of a running server, instead of --data.').argParser(readUrl),
    )
    .addOption(contextOption())
    .addOption(configOption())
    .option('--uris <FILE>', 'File of start resources, one per line.')
    .option('--type <IRI>', 'Start at the instances of this class.')
    .option('--out <FILE>', 'Output file; by default standard output.')
    .allowExcessArguments(false)
    .addHelpText('after', HELP)
    .action((given: Given) => {
      const { program, out, context, config } = given;
      // An option that Commander requires would hide that it was mistyped.
      if (program === undefined) throw new SettingError('eval: expected --program');
      const source = sourceOf(given, authorization);
      use({ program, out, source }, { ...(context && { context }), ...(config !== undefined && { config }) });
    });
}

function sourceOf(given: Given, authorization: string | undefined): Source {
  const { data, server } = given;
  const starts = startsOf(given);
  if (data && server === undefined) return { kind: 'files', files: data, starts };
  if (data || server === undefined) throw new SettingError('eval: expected either --data or --server');
  if (starts.kind === 'all') throw new SettingError('eval: --server needs --uris or --type');
  return { kind: 'server', url: server, authorization, starts };
}

function startsOf({ uris, type }: Given): Starts {
  if (uris !== undefined && type !== undefined)
    throw new SettingError('eval: --uris and --type exclude each other');
  if (uris !== undefined) return { kind: 'file', file: uris };
  return type === undefined ? { kind: 'all' } : { kind: 'type', type };
}

function readUrl(given: string): string {
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return given.replace(/\/+$/, '');
  throw new InvalidArgumentError('Expected an http or https URL.');
}
