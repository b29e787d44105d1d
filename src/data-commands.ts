import { type Command, InvalidArgumentError, Option } from 'commander';

/** Commands over a data directory. */
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
    };

/** Adds them to the command line; `use` is called with the one that is given. */
export function addDataCommands(command: Command, use: (request: DataRequest) => void): void {
  const add = (name: string, description: string) =>
    command
      .command(name)
      .description(description)
      .configureHelp({ showGlobalOptions: false })
      .argument('<DIRECTORY>', 'Data directory.');
  add('inspect', 'Show the files of a data directory, and what a start would find. Changes nothing.')
    .addOption(
      new Option('--record <NUMBER>', 'Print this record: a transaction as RDF Patch.').argParser(readNumber),
    )
    .action((directory: string, { record }: { record?: number }) =>
      use({ kind: 'inspect', directory, record }),
    );
  add('check', 'Verify a data directory, while no server runs on it. Changes nothing.').action(
    (directory: string) => use({ kind: 'check', directory }),
  );
  add('export', 'Write a data directory as N-Quads, while no server runs on it. Changes nothing.')
    .option('--graph <IRI>', 'Only this graph.')
    .action((directory: string, { graph }: { graph?: string }) => use({ kind: 'export', directory, graph }));
  add('backup', 'Copy a data directory, whether a server runs on it or not, and verify the copy.')
    .argument('<TARGET>', 'New or empty directory.')
    .action((directory: string, target: string) => use({ kind: 'backup', directory, target }));
  add('load', 'Load RDF files into a data directory, new or not, while no server runs on it.')
    .argument('<FILE...>', 'In any format that the server reads, by its extension; also followed by .gz.')
    .option('--graph <IRI>', 'Where statements go that name no graph; else to the default context.')
    .action((directory: string, files: string[], { graph }: { graph?: string }) =>
      use({ kind: 'load', directory, files, graph }),
    );
}

function readNumber(value: string): number {
  if (/^[1-9]\d{0,14}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Say the number of a record.');
}
