import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ContextFile, SettingError } from '../../config.ts';
import { checkedSeparator } from '../../http/routes/ldpath/result-format.ts';
import type { ShapedFormat, ShapeOptions } from '../../ldpath/shapes/format.ts';
import { configOption, contextOption } from '../setting-option.ts';
import type { SettingFlags } from '../settings/settle.ts';
import type { EvalOptions, ProgramChoice } from './options.ts';
import { addStartsOptions, type GivenStarts, startsOf } from './starts-options.ts';

interface Given extends GivenStarts {
  readonly program?: string;
  readonly name?: string;
  readonly data?: readonly string[];
  readonly server?: string;
  readonly format: 'nodes' | ShapedFormat;
  readonly separator?: string;
  readonly out?: string;
  readonly context?: readonly ContextFile[];
  readonly config?: string;
}

const HELP = `
Prints one line of JSON per start resource, in their order: {"uri", "result"}, with "filter" and "boost" if the
program has @filter and @boost, or {"uri", "error"}; or what --format says. In the formats csv, tsv, solr, bulk and
jsonld a start resource with an error, or for which @filter is false, has no document; the first errors are on standard
error. The members of a set (--type, --graph, --subjects, --start-path) are IRIs, in the order of the store; those for
which @filter is false are left out. Without start resources a stored program has the set that it declares, and every
other program all subjects. Exit status: 0; 1 if a start resource has an error; 2 if the evaluation could not begin.
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
  const evaluation = command
    .command('eval')
    .description('Evaluate an LDPath program from many start resources, on files or on a running server.')
    .option('--program <FILE>', 'File of the program.')
    .option('--name <NAME>', 'Name of a program that the server has stored, instead of --program.')
    .option('--data <FILE...>', 'RDF files to load into memory; triples go to the default context.')
    .addOption(
      new Option('--server <URL>', 'Base URL of a running server, instead of --data.').argParser(readUrl),
    )
    .addOption(contextOption())
    .addOption(configOption());
  addStartsOptions(evaluation)
    .addOption(new Option('--format <FORMAT>', 'Format of the results.').choices(formats).default('nodes'))
    .addOption(
      new Option(
        '--separator <CHARACTER>',
        'Between the values of a field in csv and tsv; by default |.',
      ).argParser(readSeparator),
    )
    .option('--out <FILE>', 'Output file; by default standard output.')
    .allowExcessArguments(false)
    .addHelpText('after', HELP)
    .action((given: Given) => {
      const { out, context, config } = given;
      const source = sourceOf(given, authorization);
      use(
        { out, source, shape: shapeOf(given) },
        { ...(context && { context }), ...(config !== undefined && { config }) },
      );
    });
}

function sourceOf(given: Given, authorization: string | undefined): EvalOptions['source'] {
  const { data, server } = given;
  const starts = startsOf(given);
  const program = programOf(given);
  if (data && server === undefined) {
    if (program.kind === 'stored') throw new SettingError('eval: --name needs --server');
    const { file } = program;
    return { kind: 'files', program: file, files: data, starts: starts ?? subjects };
  }
  if (data || server === undefined) throw new SettingError('eval: expected either --data or --server');
  const chosen = program.kind === 'stored' ? starts : (starts ?? subjects);
  return { kind: 'server', program, url: server, authorization, starts: chosen };
}

const formats: readonly Given['format'][] = ['nodes', 'values', 'csv', 'tsv', 'solr', 'bulk', 'jsonld'];

function shapeOf({ format, separator }: Given): ShapeOptions | undefined {
  const isTable = format === 'csv' || format === 'tsv';
  if (separator !== undefined && !isTable) throw new SettingError('eval: --separator is for csv and tsv');
  return format === 'nodes' ? undefined : { format, ...(separator !== undefined && { separator }) };
}

const subjects = { kind: 'set', set: { kind: 'subjects' } } as const;

/** Options that Commander requires would hide that one was mistyped. */
function programOf({ program, name }: Given): ProgramChoice {
  if (program !== undefined && name === undefined) return { kind: 'file', file: program };
  if (program === undefined && name !== undefined) return { kind: 'stored', name };
  throw new SettingError('eval: expected either --program or --name');
}

function readSeparator(given: string): string {
  const checked = checkedSeparator(given);
  if (checked.ok) return given;
  throw new InvalidArgumentError('Expected one printable ASCII character, but no quote and no backslash.');
}

function readUrl(given: string): string {
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return given.replace(/\/+$/, '');
  throw new InvalidArgumentError('Expected an http or https URL.');
}
