import { type Command, InvalidArgumentError, Option } from 'commander';
import { SettingError } from '../../config.ts';
import type { Environment } from '../settings/environment.ts';
import { AUTHORIZATION, TARGET_AUTHORIZATION } from '../settings/environment.ts';
import type { IndexOptions, TargetChoice } from './options.ts';

interface Given {
  readonly server: string;
  readonly name: string;
  readonly to: TargetChoice;
  readonly once?: boolean;
  readonly rebuild?: boolean;
}

const HELP = `
Writes a document for each resource that the program is for, and then follows the changes until it is stopped. What it
must remember is in the target, so it can be stopped and started again at any time.
${AUTHORIZATION} is sent to the server as the Authorization header, ${TARGET_AUTHORIZATION} to the target.
Exit status: 0 when it is up to date (--once) or was stopped; 1 if the program failed for a resource (--once); 2 after
an error.`;

/** Adds the subcommand `index`. */
export function addIndex(
  command: Command,
  environment: Environment,
  use: (options: IndexOptions) => void,
): void {
  command
    .command('index')
    .description('Keep a search index equal to the results of a stored program.')
    .addOption(
      new Option('--server <URL>', 'Base URL of the Pathpool server.')
        .argParser(readUrl)
        .makeOptionMandatory(),
    )
    .requiredOption('--name <PROGRAM>', 'Name of the stored program.')
    .addOption(
      new Option(
        '--to <TARGET>',
        'solr:URL of a core or collection, opensearch:URL of an index, or file:DIRECTORY.',
      )
        .argParser(readTarget)
        .makeOptionMandatory(),
    )
    .option('--once', 'End when the index is up to date.')
    .option('--rebuild', 'Write all documents again, even if there is an index.')
    .allowExcessArguments(false)
    .addHelpText('after', HELP)
    .action(({ server, name, to, once = false, rebuild = false }: Given) => {
      const authorization = environment[AUTHORIZATION];
      const targetAuthorization = environment[TARGET_AUTHORIZATION];
      use({ server, program: name, target: to, once, rebuild, authorization, targetAuthorization });
    });
}

function readTarget(given: string): TargetChoice {
  const [, kind, place = ''] = /^(solr|opensearch|file):(.+)$/s.exec(given) ?? [];
  if (kind === 'file') return { kind, directory: place };
  if (kind === 'solr' || kind === 'opensearch') return { kind, url: readUrl(place) };
  throw new InvalidArgumentError('Expected solr:URL, opensearch:URL or file:DIRECTORY.');
}

function readUrl(given: string): string {
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new InvalidArgumentError('Expected an http or https URL without a query.');
  }
  if (url.username !== '' || url.password !== '') {
    // Commander would repeat the URL.
    throw new SettingError(
      `index: other users would see the password of a URL: set ${AUTHORIZATION} or ${TARGET_AUTHORIZATION} in the environment`,
    );
  }
  return given.replace(/\/+$/, '');
}
