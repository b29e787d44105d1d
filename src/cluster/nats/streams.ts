import {
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { AppError } from '../../errors.ts';
import { persistently, unseen } from './patience.ts';

/** Atomic batches and the settings of streams that Pathpool needs came with this version. */
const MIN_VERSION = [2, 12] as const;
/** A part of the log with its headers; the default of nats-server is 1 MiB. */
const MIN_PAYLOAD = 640 * 1024;

/** A server that stopped does not answer; others do, after a reconnection or an election. */
const ANSWER_MS = 3000;

/** What every stream of the cluster has in common. */
export type StreamSpecification = Partial<StreamConfig> & Pick<StreamConfig, 'name' | 'subjects'>;

/** Codes of errors of the server's API. */
const STREAM_NOT_FOUND = 10059;
const NAME_IN_USE = 10058;
/** For a sequence that is not the expected one. */
const WRONG_LAST_SEQUENCE = 10071;
/** The same while another message has no majority yet: later there may be one, or none. */
const SEQUENCE_IN_DOUBT = 10164;

/** Reads and changes streams, of servers that can do what Pathpool needs. Error `bad-arguments`. */
export async function streamManager(connection: NatsConnection): Promise<JetStreamManager> {
  const { version = '0.0', max_payload: maxPayload = 0 } = connection.info ?? {};
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < MIN_VERSION[0] || (major === MIN_VERSION[0] && minor < MIN_VERSION[1])) {
    throw refusal(
      `The log server has version ${version}, which has no atomic batches.`,
      'Use nats-server 2.15 or newer.',
    );
  }
  if (maxPayload < MIN_PAYLOAD) {
    throw refusal(
      `The log server accepts messages of ${maxPayload} bytes at most (max_payload).`,
      `Allow at least ${MIN_PAYLOAD}.`,
    );
  }
  return persistently(() => jetstreamManager(connection, { timeout: ANSWER_MS }));
}

/**
 * Makes sure that a stream exists and is configured as specified: creates it if it is absent,
 * which is safe if several processes do so at once. Error `bad-arguments` for another
 * configuration, which it does not change.
 */
export async function ensureStream(
  manager: JetStreamManager,
  specification: StreamSpecification,
  replicas: number,
): Promise<void> {
  const wanted: StreamSpecification = { ...shared, ...specification, num_replicas: replicas };
  const found = (await streamConfig(manager, wanted.name)) ?? (await create(manager, wanted));
  const wrong = differences(found, wanted);
  if (found.persist_mode === 'async') wrong.push('it acknowledges before it writes to the disk');
  if (wrong.length === 0) return;
  throw refusal(
    `The stream ${wanted.name} is not configured as Pathpool needs it: ${wrong.join('; ')}.`,
    'Correct it with `nats stream edit`, or use another name for the log.',
  );
}

/** The configuration of a stream, or undefined if it does not exist. */
export async function streamConfig(
  manager: JetStreamManager,
  name: string,
): Promise<StreamConfig | undefined> {
  try {
    return (await persistently(() => manager.streams.info(name))).config;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/**
 * Repeats a request for a stream that exists: when it has just been created, not every log server
 * knows it. Errors: those of `persistently`.
 */
export function ofExisting<T>(request: () => Promise<T>): Promise<T> {
  return persistently(async () => {
    try {
      return await request();
    } catch (error) {
      throw isNotFound(error) ? unseen('the stream') : error;
    }
  });
}

/** The code of an error of the server's API; undefined for other errors. */
export function apiCode(error: unknown): number | undefined {
  return error instanceof JetStreamApiError ? error.code : undefined;
}

/** Whether an error says that there is no stream of that name. */
export function isNotFound(error: unknown): boolean {
  return apiCode(error) === STREAM_NOT_FOUND;
}

/** Whether a code says that another message came first, or may have. */
export function isOvertaken(code: number | undefined): boolean {
  return code === WRONG_LAST_SEQUENCE || code === SEQUENCE_IN_DOUBT;
}

const shared: Partial<StreamConfig> = {
  retention: 'limits',
  storage: 'file',
  discard: 'new',
  max_msgs: -1,
  max_bytes: -1,
  max_msg_size: -1,
  max_consumers: -1,
  no_ack: false,
  sealed: false,
  deny_purge: false,
};

async function create(manager: JetStreamManager, wanted: StreamSpecification): Promise<StreamConfig> {
  try {
    return (await persistently(() => manager.streams.add(wanted))).config;
  } catch (error) {
    // Another process came first, with another configuration.
    if (apiCode(error) === NAME_IN_USE) {
      return (await ofExisting(() => manager.streams.info(wanted.name))).config;
    }
    if (!(error instanceof JetStreamApiError)) throw error;
    const advice =
      wanted.num_replicas === 1
        ? 'Look at the log of the server.'
        : 'Three servers must be in one cluster; for a trial with one server, give --cluster-replicas 1.';
    throw refusal(`The stream ${wanted.name} can't be created: ${error.message}.`, advice, error);
  }
}

/** What differs in fields that are specified, for people. */
function differences(found: StreamConfig, wanted: StreamSpecification): string[] {
  return Object.entries(wanted).flatMap(([field, value]) => {
    // Servers leave out what is false.
    const actual: unknown = found[field as keyof StreamConfig] ?? (value === false ? false : undefined);
    if (field === 'metadata') return metadataDifferences(found.metadata ?? {}, wanted.metadata ?? {});
    const isSame = JSON.stringify(actual) === JSON.stringify(value);
    return isSame ? [] : [`${field} is ${JSON.stringify(actual)} instead of ${JSON.stringify(value)}`];
  });
}

/** Servers add entries of their own, whose keys begin with `_nats`. */
function metadataDifferences(found: Record<string, string>, wanted: Record<string, string>): string[] {
  return Object.entries(wanted)
    .filter(([key, value]) => found[key] !== value)
    .map(([key, value]) => `its metadata ${key} is ${JSON.stringify(found[key])} instead of "${value}"`);
}

function refusal(problem: string, advice: string, cause?: unknown): AppError {
  return new AppError('bad-arguments', `${problem} ${advice}`, {}, cause);
}
