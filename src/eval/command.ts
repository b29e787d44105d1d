import { type Command, InvalidArgumentError, Option } from 'commander';
import { SettingError } from '../config.ts';
import type { EvalOptions, Source, Starts } from './options.ts';

interface Given {
  readonly program: string;
  readonly data?: readonly string[];
  readonly server?: string;
  readonly uris?: string;
  readonly type?: string;
  readonly out?: string;
}

const HELP = `
Answers are lines of JSON in the order of the start resources: {"uri", "result"}, with "filter" and "boost" when the
program has @filter and @boost, or {"uri", "error"}. Without --uris and --type every subject that is an IRI is a start
resource (files only). Exit status: 0; 1 when a start resource has an error; 2 when it could not begin. Limits are
those of the server, from the environment (PATHPOOL_EVALUATION_TIME and so on); PATHPOOL_AUTHORIZATION is sent to a server.`;

/** Adds the subcommand `eval`; `authorization` is the value of that header for a server. */
export function addEval(
  command: Command,
  authorization: string | undefined,
  use: (options: EvalOptions) => void,
): void {
  command
    .command('eval')
    .description('Evaluate an LDPath program for many start resources, on files or on a running server.')
    .requiredOption('--program <FILE>', 'Program.')
    .option('--data <FILE...>', 'RDF files to read into memory; triples go to the default context.')
    .addOption(
      new Option('--server <URL>', 'Base URL of a running server, in place of --data.').argParser(readUrl),
    )
    .option('--uris <FILE>', 'File of start resources, one a line.')
    .option('--type <IRI>', 'Start at the instances of this class.')
    .option('--out <FILE>', 'File to write to; standard output when left out.')
    .allowExcessArguments(false)
    .addHelpText('after', HELP)
    .action((given: Given) => {
      const { program, out } = given;
      use({ program, out, source: sourceOf(given, authorization) });
    });
}

function sourceOf(given: Given, authorization: string | undefined): Source {
  const { data, server } = given;
  const starts = startsOf(given);
  if (data && server === undefined) return { kind: 'files', files: data, starts };
  if (data || server === undefined) throw new SettingError('eval: say either --data or --server');
  if (starts.kind === 'all') throw new SettingError('eval: with --server, say --uris or --type');
  return { kind: 'server', url: server, authorization, starts };
}

function startsOf({ uris, type }: Given): Starts {
  if (uris !== undefined && type !== undefined) throw new SettingError('eval: say either --uris or --type');
  if (uris !== undefined) return { kind: 'file', file: uris };
  return type === undefined ? { kind: 'all' } : { kind: 'type', type };
}

function readUrl(given: string): string {
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return given.replace(/\/+$/, '');
  throw new InvalidArgumentError('Say an http or https URL.');
}
