import { randomInt } from 'node:crypto';
import { hostname } from 'node:os';
import type { JournalPlace } from '../cluster/journal-url.ts';
import type { Member } from '../cluster/membership/live-members.ts';
import type { ClusterSettings } from '../cluster/settings.ts';
import { type Config, SettingError, settings } from '../config.ts';
import { isLoopbackName } from '../http/middleware/host-name.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const RANDOM_LETTERS = 4;
const MOST_OF_HOST_NAME = 50;

type LogGiven = Pick<
  Config,
  | ('process' | 'clusterReplicas')
  | ('natsCredentials' | 'natsCa' | 'natsCertificate' | 'natsKey' | 'natsUser' | 'natsPassword' | 'natsToken')
>;
type Given = LogGiven & Pick<Config, 'journal' | 'memory' | 'base' | 'clusterUrl' | 'clusterRedirect'>;

/**
 * Returns where the shared journal is, or undefined if the journal is local. Throws a
 * `SettingError` on settings that contradict one another.
 */
export function clusterSettings(config: Given): ClusterSettings | undefined {
  const { journal } = config;
  if (journal === undefined) return requireNone(config);
  if (config.memory) throw new SettingError('--journal and --memory exclude one another.');
  if (config.base === undefined) {
    throw new SettingError('--journal needs --base: all processes of a cluster mint the same URIs.');
  }
  return logSettings(journal, config);
}

/**
 * Returns how a log is reached, which commands need too. Throws a `SettingError` on settings that
 * contradict one another.
 */
export function logSettings(journal: JournalPlace, config: LogGiven): ClusterSettings {
  requireOneWayToLogIn(config);
  if ((config.natsCertificate === undefined) !== (config.natsKey === undefined)) {
    throw new SettingError('--nats-certificate and --nats-key must be given together.');
  }
  if (!journal.tls && (config.natsCa ?? config.natsKey) !== undefined) {
    throw new SettingError('--nats-ca, --nats-certificate and --nats-key need a --journal with tls://.');
  }
  return {
    ...journal,
    caFile: config.natsCa,
    certificateFile: config.natsCertificate,
    keyFile: config.natsKey,
    credentialsFile: config.natsCredentials,
    user: config.natsUser,
    password: config.natsPassword,
    token: config.natsToken,
    replicas: config.clusterReplicas,
    process: config.process ?? newProcessName(hostname()),
  };
}

/** A setting without effect is a mistake. */
function requireNone(config: Given): undefined {
  const useless = onlyInCluster.filter((name) => config[name] !== settings[name].default);
  if (useless.length === 0) return undefined;
  throw new SettingError(`${useless.map((name) => `--${settings[name].flag}`).join(', ')} needs --journal.`);
}

const onlyInCluster = [
  ...(['process', 'clusterUrl', 'clusterRedirect', 'clusterReplicas'] as const),
  ...(['natsCredentials', 'natsCa', 'natsCertificate', 'natsKey'] as const),
] as const;

/** Returns the address of this process for the others. `listening`: the one that it listens on. */
export function ownUrl({ clusterUrl, host }: Pick<Config, 'clusterUrl' | 'host'>, listening: string): string {
  if (clusterUrl !== undefined) return clusterUrl;
  if (host !== '0.0.0.0' && host !== '::') return listening;
  throw new SettingError(
    `--host ${host} in a cluster needs --cluster-url: an address that others can reach.`,
  );
}

/**
 * Returns a warning if processes on other machines can't reach this one at its address, because
 * that is a loopback address. `other`: a process on another machine.
 */
export function addressWarning(url: string, other: Pick<Member, 'process' | 'host'>): string | undefined {
  if (!isLoopbackName(new URL(url).hostname)) return undefined;
  return `The address ${url}, which this process tells the others, can't be reached from other machines, such as ${other.host} with the process ${other.process}: give --host or --cluster-url with an address that they can reach.`;
}

function requireOneWayToLogIn({ natsCredentials, natsUser, natsPassword, natsToken }: LogGiven): void {
  if ((natsUser === undefined) !== (natsPassword === undefined)) {
    throw new SettingError('PATHPOOL_NATS_USER and PATHPOOL_NATS_PASSWORD must be given together.');
  }
  const ways = [natsCredentials, natsUser, natsToken].filter((each) => each !== undefined);
  if (ways.length <= 1) return;
  throw new SettingError(
    'Of --nats-credentials, PATHPOOL_NATS_USER and PATHPOOL_NATS_TOKEN only one can be given.',
  );
}

/** Several processes of one machine have different names. */
export function newProcessName(host: string): string {
  const plain = host.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, MOST_OF_HOST_NAME);
  const random = Array.from({ length: RANDOM_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]);
  return `${plain}-${random.join('')}`;
}
