import { randomUUID } from 'node:crypto';
import { JetStreamError, type JetStreamManager, type StoredMsg } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import { type NatsConnection, nanos } from '@nats-io/transport-node';
import { newerFormat } from '../../errors.ts';
import { JournalError } from '../../journal/errors.ts';
import type { Identity } from '../../store/registry/identity.ts';
import type { ClusterSettings } from '../settings.ts';
import { type Part, partsOf, readNextPart } from './parts.ts';
import { unseen } from './patience.ts';
import { Publisher } from './publisher.ts';
import { StoredMessages } from './stored-messages.ts';
import { apiCode, ensureStream, isOvertaken, ofExisting, streamConfig } from './streams.ts';

/** The format of the log and of the buckets; processes refuse newer ones. */
export const LOG_FORMAT = 1;

/** The key of the identity in the state bucket. */
const KEY = 'identity';
/** The key of the identity's name in the metadata of the stream. */
const METADATA_KEY = 'pathpool-identity';
const DUPLICATE_WINDOW_MS = 120_000;
/** The first message, which has no records. */
export const GENESIS_SEQUENCE = 1;

/** A place between groups in the log. */
export interface LogPosition {
  /** Number of the last record before it. */
  readonly commit: number;
  /** Sequence number, in the stream, of the last message before it, and the hash of that part. */
  readonly sequence: number;
  readonly hash: string;
}

/** What a log is when it is new. */
export interface NewLog {
  readonly identity: Identity;
  /** Number of the last record of the data that the log continues: 0 for new data. */
  readonly commit: number;
}

/** The beginning of a log, which exists. */
export interface Genesis {
  readonly identity: Identity;
  /** Undefined if the beginning was removed, because checkpoints cover it. */
  readonly position: LogPosition | undefined;
}

/** The entry of the state bucket, which is written before the stream is created. */
interface Entry extends NewLog {
  readonly format: number;
  /** Whether the stream has been created: then it must exist. */
  readonly isStarted: boolean;
}

export interface GenesisParts {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly state: KV;
  readonly settings: ClusterSettings;
}

/**
 * Finds the log, or creates it; several processes may do so at once. Errors: `newer-format`;
 * `bad-arguments` for a log that is configured in another way; `data-damaged` if parts of it are
 * gone; `unavailable`.
 */
export async function findGenesis(parts: GenesisParts, newLog: NewLog): Promise<Genesis> {
  const { manager, state, settings } = parts;
  const entry = await findEntry(parts, newLog);
  const { name } = entry.identity;
  await ensureStream(manager, logStream(settings.name, name), settings.replicas);
  const position = await beginLog(parts, entry);
  if (!entry.isStarted) await state.put(KEY, JSON.stringify({ ...entry, isStarted: true }));
  return { identity: entry.identity, position };
}

/**
 * Returns the sequence number of the newest message of a stream that must still be the one of an
 * identity. Error `data-damaged`.
 */
export async function lastOf(
  manager: JetStreamManager,
  stream: string,
  { name }: Pick<Identity, 'name'>,
): Promise<number> {
  const { config, state } = await manager.streams.info(stream);
  const found = config.metadata?.[METADATA_KEY];
  if (found === name) return state.last_seq;
  throw gone(stream, `its identity is ${found ?? 'missing'} instead of ${name}`);
}

function logStream(name: string, identity: string) {
  return {
    name,
    subjects: [subjectOf(name)],
    max_age: 0,
    max_msgs_per_subject: -1,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    deny_delete: true,
    allow_direct: true,
    allow_atomic: true,
    metadata: { [METADATA_KEY]: identity },
  };
}

/** The subject of a log's messages. */
export function subjectOf(name: string): string {
  return `${name}.log`;
}

async function readEntry(state: KV): Promise<Entry | undefined> {
  const entry = await ofExisting(() => state.get(KEY));
  return entry?.operation === 'PUT' ? entry.json<Entry>() : undefined;
}

/** Creates the entry; if another process comes first, returns its entry. */
async function createEntry(state: KV, newLog: NewLog): Promise<Entry> {
  const entry: Entry = { ...newLog, format: LOG_FORMAT, isStarted: false };
  return ofExisting(async () => {
    await state.create(KEY, JSON.stringify(entry)).catch((error: unknown) => {
      if (!isOvertaken(apiCode(error))) throw error;
    });
    const found = await readEntry(state);
    if (found) return found;
    throw unseen('the identity of the log');
  });
}

/**
 * The entry precedes the stream, which precedes the mark of its creation. They are read in the
 * reverse order, since other processes may be creating them.
 */
async function findEntry(
  { manager, state, settings: { name } }: GenesisParts,
  newLog: NewLog,
): Promise<Entry> {
  const first = await readEntry(state);
  if (first) requireKnownFormat(name, first);
  const exists = (await streamConfig(manager, name)) !== undefined;
  if (first?.isStarted && !exists) throw gone(name, 'its stream does not exist any more');
  const entry = first ?? (exists ? await readEntry(state) : await createEntry(state, newLog));
  if (!entry) throw gone(name, 'the bucket of its state has no identity');
  requireKnownFormat(name, entry);
  return entry;
}

function requireKnownFormat(name: string, entry: Entry): void {
  if (entry.format > LOG_FORMAT) throw newerFormat(`The log ${name}`, entry.format, LOG_FORMAT);
}

/** Writes the first message unless there is one. */
async function beginLog(parts: GenesisParts, entry: Entry): Promise<LogPosition | undefined> {
  const { connection, manager, settings } = parts;
  const messages = new StoredMessages(connection, manager, settings);
  const publisher = new Publisher(connection, subjectOf(settings.name));
  const head = { first: entry.commit, last: entry.commit, id: randomUUID(), state: '' };
  const genesis = partsOf(head, [Buffer.from(JSON.stringify(entry.identity))], '');
  await ofExisting(async () => {
    if ((await messages.range()).last >= GENESIS_SEQUENCE) return;
    const attempt = await publisher.attempt(genesis, 0);
    if (attempt.kind === 'refused') throw new JetStreamError(attempt.reason);
    if (attempt.kind !== 'stored') throw unseen('the beginning of the log');
  });
  const accept = ({ header, data }: StoredMsg) => readNextPart(header, data, '');
  const finding = await ofExisting(() => messages.find(GENESIS_SEQUENCE, accept));
  if (finding.kind === 'purged') return undefined;
  if (finding.kind !== 'found') throw gone(settings.name, 'its first message is unreadable');
  return positionOf(finding.value, entry);
}

function positionOf({ hash, body }: Part, { identity, commit }: Entry): LogPosition {
  const found = JSON.parse(Buffer.from(body).toString()) as Identity;
  if (found.name !== identity.name) throw gone('', `it begins with the identity ${found.name}`);
  return { commit, sequence: GENESIS_SEQUENCE, hash };
}

function gone(name: string, problem: string): JournalError {
  const advice = 'Restore the stream and the buckets of NATS together, or use another name for the log.';
  return new JournalError('data-damaged', `The log ${name} is not complete: ${problem}. ${advice}`);
}
