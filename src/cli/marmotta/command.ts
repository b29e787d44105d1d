import { type Command, InvalidArgumentError, Option } from 'commander';
import { SettingError } from '../../config.ts';
import { AUTHORIZATION, type Environment } from '../settings/environment.ts';
import type { MarmottaOptions } from './options.ts';

interface Given {
  readonly server: string;
  readonly home?: string;
  readonly skipData?: boolean;
  readonly report?: string;
}

const HELP = `
Reads all files before it sends anything. It can be repeated: what is there already is not sent again.
${AUTHORIZATION} is sent to the server as the Authorization header.
Exit status: 0 when everything was imported; 1 when something was skipped, as the report says; 2 after an error.`;

/** Adds the subcommand `import-marmotta`. */
export function addMarmotta(
  command: Command,
  environment: Environment,
  use: (options: MarmottaOptions) => void,
): void {
  command
    .command('import-marmotta')
    .description('Import the data of an Apache Marmotta 3.4 into a running server.')
    .argument('[DUMP...]', 'Exports of Marmotta: TriG or N-Quads, also with .gz.')
    .addOption(
      new Option('--server <URL>', 'Base URL of the Pathpool server.')
        .argParser(readUrl)
        .makeOptionMandatory(),
    )
    .option(
      '--home <DIRECTORY>',
      "Marmotta's home directory, or a copy: prefixes, programs of Solr cores, content.",
    )
    .option(
      '--skip-data',
      'Send only what is below /ldp, content and programs: "pathpool load" did the rest.',
    )
    .option('--report <FILE>', 'Write the report as JSON, too.')
    .addHelpText('after', HELP)
    .action((dumps: readonly string[], { server, home, skipData = false, report }: Given) => {
      if (dumps.length === 0 && home === undefined) {
        throw new SettingError('import-marmotta: name an export, or --home, or both');
      }
      const authorization = environment[AUTHORIZATION];
      use({ server, authorization, dumps, home, skipsData: skipData, report });
    });
}

function readUrl(given: string): string {
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new InvalidArgumentError('Expected an http or https URL without a query.');
  }
  if (url.username !== '' || url.password !== '') {
    // Commander would repeat the URL.
    throw new SettingError(
      `import-marmotta: other users would see the password of a URL: set ${AUTHORIZATION} in the environment`,
    );
  }
  return given.replace(/\/+$/, '');
}
