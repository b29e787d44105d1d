import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ContextFile } from '../config.ts';
import { contextOption } from './setting-option.ts';

/** Commands for a data directory. */
export type DataRequest =
  | { readonly kind: 'inspect'; readonly directory: string; readonly record: number | undefined }
  | { readonly kind: 'check'; readonly directory: string }
  | { readonly kind: 'export'; readonly directory: string; readonly graph: string | undefined }
  | { readonly kind: 'backup'; readonly directory: string; readonly target: string }
  | {
      readonly kind: 'load';
      readonly directory: string;
      readonly files: readonly string[];
      readonly graph: string | undefined;
      readonly context: readonly ContextFile[];
    };

interface LoadFlags {
  readonly graph?: string;
  readonly context?: readonly ContextFile[];
}

/** Adds the commands to the command line, which passes the chosen one to `use`. */
export function addDataCommands(command: Command, use: (request: DataRequest) => void): void {
  const add = (name: string, description: string) =>
    command
      .command(name)
      .description(description)
      .configureHelp({ showGlobalOptions: false })
      .argument('<DIRECTORY>', 'Data directory.');
  add(
    'inspect',
    'Show the files of a data directory and what the server would find at start-up. Changes nothing.',
  )
    .addOption(
      new Option('--record <NUMBER>', 'Print this record: one transaction, as RDF Patch.').argParser(
        readNumber,
      ),
    )
    .action((directory: string, { record }: { record?: number }) =>
      use({ kind: 'inspect', directory, record }),
    );
  add('check', 'Verify a data directory that no server uses. Changes nothing.').action((directory: string) =>
    use({ kind: 'check', directory }),
  );
  add('export', 'Write the data of a directory that no server uses as N-Quads. Changes nothing.')
    .option('--graph <IRI>', 'Export only this graph.')
    .action((directory: string, { graph }: { graph?: string }) => use({ kind: 'export', directory, graph }));
  add('backup', 'Copy a data directory, even while a server uses it, and verify the copy.')
    .argument('<TARGET>', 'New or empty directory.')
    .action((directory: string, target: string) => use({ kind: 'backup', directory, target }));
  add('load', 'Load RDF files into a new or existing data directory that no server uses.')
    .argument(
      '<FILE...>',
      'In any RDF format that the server reads, recognised by the extension; .gz may follow it.',
    )
    .option('--graph <IRI>', 'Graph for statements that name none; by default the default context.')
    .addOption(contextOption())
    .action((directory: string, files: string[], { graph, context = [] }: LoadFlags) =>
      use({ kind: 'load', directory, files, graph, context }),
    );
}

function readNumber(value: string): number {
  if (/^[1-9]\d{0,14}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Expected the number of a record.');
}
