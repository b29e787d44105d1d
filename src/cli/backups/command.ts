import { type Command, InvalidArgumentError, Option } from 'commander';
import type { KeepRule } from './keep.ts';
import type { RepositoryOptions, RestorePoint } from './options.ts';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** The longest delay of a timer. */
const MOST_EVERY_MS = 2 ** 31 - 1;
const BACKUP_HELP = `
With --every or --keep, TARGET is a backup repository: a directory to which each backup adds what is new. "pathpool
restore TARGET DIR" restores any of their commits. It ends with Ctrl-C or SIGTERM; status 0 if the last backup was made.`;
const RESTORE_HELP = `
The restored directory is a separate data set: clients with entity tags or positions of the other one begin anew.
Exit status: 0 if all is well, 1 for damage, also if content is missing, 2 if nothing was restored.`;

/** What `--every` and `--keep` were given. */
export interface RepositoryFlags {
  readonly every?: number;
  readonly keep?: KeepRule | 'all';
}

/** Adds the options with which `backup` adds to a repository. */
export function addRepositoryOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--every <TIME>', 'Back up again and again, such as every 1h or 15m.').argParser(readEvery),
    )
    .addOption(
      new Option(
        '--keep <TIME[,TIME]>',
        'Which backups are kept: 24h,7d keeps all of 24 hours, and then the last of each day for 7 days; or all.',
      ).argParser(readKeep),
    )
    .addHelpText('after', BACKUP_HELP);
}

/** Returns undefined if the target is an ordinary copy. */
export function repositoryOptions({ every, keep }: RepositoryFlags): RepositoryOptions | undefined {
  if (every === undefined && keep === undefined) return undefined;
  return { everyMs: every, keep: keep === 'all' ? undefined : keep };
}

/** What `restore` was given. */
export interface RestoreRequest {
  readonly kind: 'restore';
  readonly from: string;
  readonly target: string;
  readonly point: RestorePoint | undefined;
}

export type RepositoryRequest =
  | RestoreRequest
  | { readonly kind: 'list-backups'; readonly directory: string };

/** Adds the subcommand `restore`. */
export function addRestore(command: Command, use: (request: RepositoryRequest) => void): void {
  command
    .command('restore')
    .description('Make a data directory with the data of a commit or a time, from backups.')
    .configureHelp({ showGlobalOptions: false })
    .argument('<BACKUPS>', 'Backup repository, or a copy that "pathpool backup" has made.')
    .argument('[DIRECTORY]', 'New or empty directory.')
    .addOption(
      new Option(
        '--to <COMMIT|TIME>',
        'The number of a commit, IDENTITY.COMMIT, or a time such as 2026-11-23T12:00:00Z; by default the newest commit.',
      ).argParser(readPoint),
    )
    .option('--list', 'Show the backups, and which commits can be restored.')
    .allowExcessArguments(false)
    .addHelpText('after', RESTORE_HELP)
    .action(
      (from: string, target: string | undefined, flags: { to?: RestorePoint; list?: true }, own: Command) => {
        if (flags.list) use({ kind: 'list-backups', directory: from });
        else if (target === undefined) own.error("missing required argument 'DIRECTORY'");
        else use({ kind: 'restore', from, target, point: flags.to });
      },
    );
}

function readEvery(given: string): number {
  const every = readDuration(given);
  if (every <= MOST_EVERY_MS) return every;
  throw new InvalidArgumentError('Expected 24 days at most.');
}

function readKeep(given: string): KeepRule | 'all' {
  if (given === 'all') return 'all';
  const [all = '', daily, ...more] = given.split(',');
  if (more.length > 0) throw new InvalidArgumentError('Expected two times at most, such as 24h,7d.');
  return { allMs: readDuration(all), dailyMs: daily === undefined ? 0 : readDuration(daily) };
}

function readDuration(given: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(given) ?? [];
  const ms = Number(count) * (UNIT_MS[unit] ?? Number.NaN);
  if (ms > 0) return ms;
  throw new InvalidArgumentError('Expected a number above 0 with s, m, h or d, such as 1h or 7d.');
}

/** Whether a date is in the calendar: `Date.parse` takes 30 February as 2 March. */
function isDay(date: string): boolean {
  const [year = 0, month = 0, day] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}

function readPoint(given: string): RestorePoint {
  const [, identity, commit] = /^(?:([a-z0-9]{8})\.)?(\d{1,15})$/.exec(given) ?? [];
  if (commit !== undefined) {
    return { kind: 'commit', commit: Number(commit), ...(identity !== undefined && { identity }) };
  }
  const isTime = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(given);
  const time = isTime && isDay(given.slice(0, 10)) ? Date.parse(given.toUpperCase()) : Number.NaN;
  if (!Number.isNaN(time)) return { kind: 'time', time };
  throw new InvalidArgumentError(
    'Expected the number of a commit, or a time with a zone, such as 2026-11-23T12:00:00Z or 2026-11-23T12:00:00+01:00.',
  );
}
