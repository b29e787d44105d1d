import { randomUUID } from 'node:crypto';
import type { JetStreamManager, StoredMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { AppendOutcome, CommitLog, VisitRecord } from '../../journal/commit-log.ts';
import { JournalError, writesDisabled } from '../../journal/errors.ts';
import type { JournalRecord } from '../../journal/record.ts';
import type { RetentionLimits } from '../../store/history/retention-limits.ts';
import type { Identity } from '../../store/registry/identity.ts';
import { LogRetention } from '../history/log-retention.ts';
import type { ClusterSettings } from '../settings.ts';
import { Availability } from './availability.ts';
import { ByteCounts } from './byte-counts.ts';
import { Follower } from './follower.ts';
import { type Genesis, type LogPosition, lastOf, subjectOf } from './genesis.ts';
import { type Group, type GroupObjects, GroupReader, removeUpload, upload } from './groups.ts';
import {
  FOREIGN,
  groupBytes,
  type Part,
  type PartFault,
  partsOf,
  readNextPart,
  totalLength,
} from './parts.ts';
import { isOfServers, unavailable } from './patience.ts';
import { Publisher } from './publisher.ts';
import { REGRESSION_MS, settle } from './settlement.ts';
import { type Finding, StoredMessages } from './stored-messages.ts';
import { isNotFound, ofExisting } from './streams.ts';

/** A group with more bytes becomes an object: an atomic batch has limits of time and messages. */
const BATCH_BYTES = 128 * 1024 * 1024;

/** How long a conflict waits for the message that came first, which may never get a majority. */
const RIVAL_MS = 10_000;
/** How long a message is waited for before it is read directly. */
const ARRIVAL_MS = 100;

export interface JetStreamLogParts {
  readonly connection: NatsConnection;
  readonly manager: JetStreamManager;
  readonly objects: GroupObjects;
  readonly settings: ClusterSettings;
  readonly genesis: Genesis;
  /** How much is kept of what checkpoints cover. */
  readonly retention: RetentionLimits;
  /** Receives messages for the operator. */
  readonly notice: (message: string) => void;
}

/** What is counted at a place in the log. */
interface Mark {
  readonly position: LogPosition;
  /** Bytes of all records that this process has seen up to there. */
  readonly bytes: number;
}

/**
 * A log in a stream of NATS JetStream, which several processes share. A message is only accepted
 * behind the last one that this process has seen. `replay` comes first.
 */
export class JetStreamLog implements CommitLog {
  readonly isShared = true;
  readonly #parts: JetStreamLogParts;
  readonly #messages: StoredMessages;
  readonly #publisher: Publisher;
  readonly #groups: GroupReader;
  readonly #retention: LogRetention;
  readonly #availability: Availability;
  #follower: Follower | undefined;
  /** Where `replay` starts; undefined if only a checkpoint can tell. */
  #start: LogPosition | undefined;
  /** Behind the last group that was visited or appended; undefined before `startAt`. */
  #position: LogPosition | undefined;
  /**
   * The last message that was read, and the hash of the last part: behind `#position` while a group
   * is read, and after messages of other programs.
   */
  #tip = { sequence: 0, hash: '' };
  /** Whether only one server has said that a message behind `#position` is of another program. */
  #mayHaveSkipped = false;
  #hasToldForeign = false;
  /** A group that was read, and how many of its records have been visited. */
  #group: { readonly group: Group; visited: number } | undefined;
  /** The oldest place that a checkpoint is known to cover, then those of checkpoints begun. */
  #marks: Mark[] = [];
  readonly #bytes = new ByteCounts();
  #wake = () => {};
  #arrived = () => {};
  #hasWoken = false;
  #isAppending = false;
  /** Whether an append was refused because of a message that has not been read yet. */
  #hasRival = false;
  /** Since when the log has seemed to end before the last message that was read. */
  #regression: { readonly sequence: number; readonly since: number } | undefined;
  #isClosed = false;
  #failure: JournalError | undefined;

  constructor(parts: JetStreamLogParts) {
    const { connection, manager, settings, objects, genesis, retention: limits } = parts;
    this.#parts = parts;
    const messages = new StoredMessages(connection, manager, settings);
    this.#messages = messages;
    this.#retention = new LogRetention({ manager, stream: settings.name, messages, objects, limits });
    this.#publisher = new Publisher(connection, subjectOf(settings.name));
    this.#groups = new GroupReader(objects);
    this.#availability = new Availability({
      connection,
      probe: () => this.#probe(),
      onChange: () => this.#wake(),
      onReconnect: () => this.#follower?.restart(),
    });
    if (genesis.position) this.#setStart(genesis.position);
  }

  get identity(): Identity {
    return this.#parts.genesis.identity;
  }

  get lastSequence(): number {
    const { group, visited } = this.#group ?? {};
    return group && visited! > 0 ? group.head.first + visited! - 1 : (this.#position?.commit ?? 0);
  }

  get bytes(): number {
    return this.#bytes.total - (this.#marks[0]?.bytes ?? 0);
  }

  get isAvailable(): boolean {
    return this.#availability.isAvailable;
  }

  get hasForeign(): boolean {
    if (this.#failure || this.#group || this.#hasRival) return true;
    return !this.#isAppending && this.#follower?.peek(this.#tip.sequence) !== undefined;
  }

  /** Whether others have appended what this process has not taken in, as far as it knows. */
  get #isBehind(): boolean {
    // The rest of a group that was read in part is there, too.
    this.#hasRival ||= this.#groups.isInGroup;
    return this.hasForeign;
  }

  /** Where `replay` starts; undefined if only a checkpoint can tell. */
  get start(): LogPosition | undefined {
    return this.#start;
  }

  /** The place behind the last record: for a checkpoint that covers all records so far. */
  get position(): LogPosition {
    return this.#requirePosition();
  }

  /**
   * The place behind a record at which a checkpoint was begun, or the start of this process.
   */
  positionOf(commit: number): LogPosition | undefined {
    return this.#marks.find(({ position }) => position.commit === commit)?.position;
  }

  /** Sets where `replay` starts: behind the records that a checkpoint covers. */
  startAt(position: LogPosition): void {
    this.#setStart(position);
  }

  watch(wake: () => void): void {
    this.#wake = wake;
    this.#wakeIfForeign();
  }

  /** Visits the records that are in the log now, from where this process starts. */
  async replay(fromSequence: number, visit: VisitRecord): Promise<void> {
    await this.#stopFollower();
    if (!this.#start || this.#start.commit >= fromSequence) throw purged(fromSequence);
    this.#setStart(this.#start);
    const { commit, sequence } = this.#start;
    const { first, last } = await ofExisting(() => this.#messages.range());
    if (first > sequence + 1) throw purged(commit + 1);
    if (last < sequence) throw regressed(last, sequence);
    this.#startFollower();
    const visitNew: VisitRecord = (number, payload, state) =>
      number < fromSequence ? undefined : visit(number, payload, state);
    for (;;) {
      await this.receive(visitNew);
      if (this.#tip.sequence >= last) return;
      await this.#untilArrival();
      // The consumer's server may have lost the last message.
      this.#hasRival = this.#follower?.peek(this.#tip.sequence) === undefined;
    }
  }

  async append(records: readonly JournalRecord[], state = ''): Promise<AppendOutcome> {
    this.#requireWritable();
    if (records.length === 0) return this.#verifyEnd();
    requireContiguous(records, this.lastSequence + 1);
    if (!/^(?! )[ -~]*(?<! )$/.test(state))
      throw new RangeError(`A digest must be printable ASCII: ${state}`);
    if (this.#isBehind) return 'conflict';
    if (!this.#availability.isConnected) throw unavailable(new Error('the connection is broken'));
    this.#isAppending = true;
    try {
      return await this.#write(records, state);
    } catch (error) {
      throw this.#noteFailure(error);
    } finally {
      this.#availability.setInDoubt(false);
      this.#isAppending = false;
      this.#wakeIfForeign();
    }
  }

  async receive(visit: VisitRecord): Promise<void> {
    if (this.#failure) throw this.#failure;
    this.#hasWoken = false;
    try {
      if (this.#hasRival) await this.#readRival();
      for (;;) {
        if (this.#group) await this.#visitGroup(visit);
        const message = this.#follower?.peek(this.#tip.sequence);
        if (!message) return;
        const { hash, sequence } = this.#tip;
        const isNext = message.sequence === sequence + 1;
        await this.#takeNext(isNext ? readNextPart(message.fields, message.body, hash) : 'missing');
      }
    } catch (error) {
      throw this.#noteFailure(error);
    } finally {
      // A message that arrived meanwhile has caused a wake, and has been dealt with, too.
      this.#hasWoken = false;
    }
  }

  async beginCheckpoint(): Promise<void> {
    this.#marks.push({ position: this.#requirePosition(), bytes: this.#bytes.total });
  }

  /**
   * Removes the messages up to the place of the checkpoint before, so that slow processes can still
   * follow, except those that are kept for readers of changes. A process that is even slower must
   * start again, from the newest checkpoint.
   */
  async checkpointed(sequence: number): Promise<void> {
    const index = this.#marks.findLastIndex(({ position }) => position.commit <= sequence);
    if (index < 1) return;
    const [before] = this.#marks.splice(0, index);
    this.#bytes.forget(sequence);
    // Another process has shared one of the same place, and the one before that is not known here.
    if (before!.position.commit === this.#marks[0]!.position.commit) return;
    await this.#retention.prune(before!.position);
  }

  /** Notes the place of a checkpoint of another process. */
  noteCheckpoint(position: LogPosition): void {
    const { commit } = position;
    const [oldest] = this.#marks;
    if (!oldest || commit <= oldest.position.commit || commit > this.lastSequence) return;
    const later = this.#marks.filter((mark) => mark.position.commit > commit);
    const bytes = Math.max(oldest.bytes, this.#bytes.through(commit));
    this.#marks = [{ position, bytes }, ...later];
    this.#bytes.forget(commit);
  }

  close(): Promise<void> {
    return this.abandon();
  }

  async abandon(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#availability.close();
    const following = this.#stopFollower();
    await this.#parts.connection.close();
    await following;
  }

  #setStart(position: LogPosition): void {
    // A newer checkpoint has what was removed.
    if (this.#failure?.details.case === 'purged') this.#failure = undefined;
    this.#start = position;
    this.#position = position;
    this.#group = undefined;
    this.#groups.reset();
    this.#tip = position;
    this.#mayHaveSkipped = false;
    this.#marks = [{ position, bytes: this.#bytes.total }];
  }

  async #stopFollower(): Promise<void> {
    const follower = this.#follower;
    this.#follower = undefined;
    await follower?.close();
  }

  #startFollower(): void {
    const { connection, manager, settings } = this.#parts;
    this.#follower ??= new Follower(connection, manager, settings.name, {
      after: this.#tip.sequence,
      onArrival: () => {
        this.#arrived();
        this.#wakeIfForeign();
      },
      onPause: () => this.#checkEnd(),
    });
  }

  /**
   * Finds out whether there is a message that the follower has not received: its server may have
   * lost it, and no later message shows the hole. Or the stream is gone.
   */
  async #checkEnd(): Promise<void> {
    const last = await this.#probe().catch((error: unknown) => {
      this.#regression = undefined;
      throw error;
    });
    if (last === undefined || this.#isAppending) return;
    if (last < this.#tip.sequence) return this.#noteRegression(last);
    this.#regression = undefined;
    if (last === this.#tip.sequence) return;
    this.#hasRival = true;
    this.#wakeIfForeign();
  }

  /** The log has lost what it had acknowledged, or an older copy of it was restored. */
  #noteRegression(last: number): void {
    const { sequence } = this.#tip;
    const now = performance.now();
    // One that ended before a newer message came was that of an election.
    if (this.#regression?.sequence !== sequence) this.#regression = { sequence, since: now };
    if (now - this.#regression.since < REGRESSION_MS) return;
    this.#failure = regressed(last, sequence);
    this.#wakeIfForeign();
  }

  #wakeIfForeign(): void {
    if (this.#hasWoken || !this.hasForeign) return;
    this.#hasWoken = true;
    this.#wake();
  }

  /** Resolves when a message arrives, or after a short while. */
  #untilArrival(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ARRIVAL_MS);
      this.#arrived = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #write(records: readonly JournalRecord[], state: string): Promise<AppendOutcome> {
    if (!(await this.#proveSkipped())) return 'conflict';
    const { commit } = this.#requirePosition();
    const { sequence, hash } = this.#tip;
    const last = commit + records.length;
    const pieces = groupBytes(records);
    const head = { first: commit + 1, last, id: randomUUID(), state };
    const isHuge = totalLength(pieces) > BATCH_BYTES;
    const object = isHuge ? await upload(this.#parts.objects, head, pieces) : undefined;
    const parts = partsOf({ ...head, object }, isHuge ? [] : pieces, hash);
    const outcome = await this.#settle(parts, { sequence, hash });
    if (outcome === 'conflict') {
      this.#hasRival = true;
      if (object) await removeUpload(this.#parts.objects, object).catch(() => {});
      return outcome;
    }
    this.#position = { commit: last, sequence: sequence + parts.length, hash: parts.at(-1)!.hash };
    this.#tip = this.#position;
    this.#bytes.add(last, totalLength(pieces));
    return outcome;
  }

  #settle(parts: readonly Part[], place: { sequence: number; hash: string }): Promise<AppendOutcome> {
    const settlement = {
      publisher: this.#publisher,
      messages: this.#messages,
      isClosed: () => this.#isClosed,
      onDoubt: () => this.#availability.setInDoubt(true),
    };
    return settle(settlement, parts, place);
  }

  /** Whether the log ends where this process thinks. */
  async #verifyEnd(): Promise<AppendOutcome> {
    try {
      if (!(await this.#proveSkipped())) return 'conflict';
      const { last } = await this.#messages.range(0);
      this.#hasRival = last > this.#tip.sequence;
      return this.#hasRival || this.hasForeign ? 'conflict' : 'committed';
    } catch (error) {
      throw this.#noteFailure(error);
    }
  }

  /** Reads the part behind the last one without waiting for the follower. */
  async #readRival(): Promise<void> {
    const end = performance.now() + RIVAL_MS;
    const { sequence, hash } = this.#tip;
    const accept = ({ header, data }: StoredMsg) => readNextPart(header, data, hash);
    const isMissing = () => this.#tip.sequence === sequence && !this.#follower?.peek(sequence);
    while (isMissing() && performance.now() < end) {
      const finding = await this.#messages.find(sequence + 1, accept);
      if (finding.kind === 'absent') await this.#untilArrival();
      else await this.#takeFound(finding);
    }
    this.#hasRival = false;
  }

  /** Takes in the next message: a part, or what one server says of it. */
  async #takeNext(part: Part | PartFault): Promise<void> {
    if (typeof part === 'object') return this.#take(part);
    if (part === FOREIGN && !this.#groups.isInGroup) {
      this.#mayHaveSkipped = true;
      return this.#skip();
    }
    if (this.#mayHaveSkipped) return this.#goBack();
    await this.#repair(part);
  }

  /** Takes in what the other servers have in the place of the next message. */
  async #repair(fault: PartFault): Promise<void> {
    const { sequence, hash } = this.#tip;
    const finding = await this.#messages.find(sequence + 1, ({ header, data }) =>
      readNextPart(header, data, hash),
    );
    if (finding.kind === 'absent') throw unavailable(new Error(`message ${sequence + 1} is missing`));
    if (finding.kind === 'found') this.#tellLost(sequence + 1, fault);
    await this.#takeFound(finding);
  }

  /** Takes in what the servers have in the place of the next message. */
  async #takeFound(finding: Exclude<Finding<Part>, { readonly kind: 'absent' }>): Promise<void> {
    if (finding.kind === 'found') return this.#take(finding.value);
    if (finding.kind === 'purged') throw purged(this.lastSequence + 1);
    // The parts of a group have nothing between them.
    if (finding.kind === 'foreign' && !this.#groups.isInGroup) return this.#skip();
    const reason = finding.kind === 'foreign' ? FOREIGN : finding.reason;
    throw damaged(this.#tip.sequence + 1, reason);
  }

  /** Passes over a message of another program. */
  #skip(): void {
    const sequence = this.#tip.sequence + 1;
    this.#tip = { ...this.#tip, sequence };
    if (this.#hasToldForeign) return;
    this.#hasToldForeign = true;
    const { name } = this.#parts.settings;
    this.#parts.notice(
      `Message ${sequence} of ${name} was published by another program. Such messages are ignored. Only Pathpool may publish to ${subjectOf(name)}.`,
    );
  }

  /** Reads what was skipped once more, from all servers. */
  #goBack(): void {
    this.#tip = { ...this.#tip, sequence: this.#requirePosition().sequence };
    this.#mayHaveSkipped = false;
  }

  /**
   * Makes sure that what was skipped at the end are messages of other programs: a part that
   * followed would show that by its previous hash. Goes back and returns false if one is a part.
   */
  async #proveSkipped(): Promise<boolean> {
    if (!this.#mayHaveSkipped) return true;
    const { sequence } = this.#requirePosition();
    const part = await this.#messages.partBetween(sequence + 1, this.#tip.sequence);
    this.#mayHaveSkipped = false;
    if (part === undefined) return true;
    this.#tellLost(part, FOREIGN);
    this.#goBack();
    this.#hasRival = true;
    return false;
  }

  #tellLost(sequence: number, fault: PartFault): void {
    const { notice, settings } = this.#parts;
    notice(
      `A log server has lost or changed message ${sequence} of ${settings.name} (${fault}). Another one has it. Replace the disk of that server.`,
    );
  }

  async #take(part: Part): Promise<void> {
    const { first, part: number } = part.head;
    if (number === 1 && first !== this.#requirePosition().commit + 1) {
      throw damaged(this.#tip.sequence + 1, `it begins with the record ${first}`);
    }
    const group = await this.#groups.add(part).catch(async (error: unknown) => {
      // Checkpoints that cover a huge group remove its object.
      const { first: oldest } = await this.#messages.range();
      throw oldest > this.#tip.sequence + 1 ? purged(this.lastSequence + 1) : error;
    });
    this.#tip = { sequence: this.#tip.sequence + 1, hash: part.hash };
    this.#mayHaveSkipped = false;
    if (group) this.#group = { group, visited: 0 };
  }

  async #visitGroup(visit: VisitRecord): Promise<void> {
    const current = this.#group!;
    const { head, payloads } = current.group;
    while (current.visited < payloads.length) {
      const index = current.visited;
      const visited = visit(head.first + index, payloads[index]!, index === 0 ? head.state : undefined);
      if (visited instanceof Promise) await visited;
      current.visited++;
    }
    this.#group = undefined;
    this.#position = { commit: head.last, ...this.#tip };
    this.#bytes.add(head.last, totalLength(payloads));
  }

  /**
   * Returns the sequence number of the newest message; undefined if the stream is another one,
   * which ends this log. Throws while the servers do not answer, or have no such stream.
   */
  async #probe(): Promise<number | undefined> {
    const { manager, settings } = this.#parts;
    try {
      return await lastOf(manager, settings.name, this.identity);
    } catch (error) {
      if (isNotFound(error)) this.#availability.noteFailure();
      if (!(error instanceof JournalError)) throw error;
      this.#failure = error;
      this.#wakeIfForeign();
      return undefined;
    }
  }

  /** Remembers what ends this log, and what makes it unavailable; returns the error to throw. */
  #noteFailure(error: unknown): unknown {
    if (this.#isClosed) return writesDisabled('closed', error);
    if (error instanceof JournalError && ['data-damaged', 'writes-disabled'].includes(error.code)) {
      this.#failure = error;
    }
    const failure = isOfServers(error) ? unavailable(error) : error;
    if (failure instanceof JournalError && failure.code === 'unavailable') this.#availability.noteFailure();
    return failure;
  }

  #requirePosition(): LogPosition {
    if (this.#position) return this.#position;
    throw purged(1);
  }

  #requireWritable(): void {
    if (this.#isClosed) throw writesDisabled('closed', undefined);
    if (this.#isAppending) throw new Error('Two changes of the log overlap');
    if (!this.#failure) return;
    const message = `Writes are disabled until a restart: ${this.#failure.message}`;
    throw new JournalError('writes-disabled', message, {}, this.#failure);
  }
}

function requireContiguous(records: readonly JournalRecord[], first: number): void {
  records.forEach((record, index) => {
    if (record.sequence !== first + index) {
      throw new RangeError(`Record ${first + index} must come next, not ${record.sequence}`);
    }
  });
}

function damaged(sequence: number, reason: string): JournalError {
  const message = `Message ${sequence} of the shared log can't be read: ${reason}`;
  return new JournalError('data-damaged', message);
}

/** The error of a process that was too slow. Its `case` tells it from damage. */
function purged(record: number): JournalError {
  const message = `The shared log no longer has the record ${record}, because newer checkpoints cover it. Another start begins with the newest one`;
  return new JournalError('data-damaged', message, { sequence: record, case: 'purged' });
}

function regressed(last: number, sequence: number): JournalError {
  const message = `The shared log ends at message ${last}, but this process knows message ${sequence}: the log servers have lost data, or an older copy was restored`;
  return new JournalError('data-damaged', message);
}
