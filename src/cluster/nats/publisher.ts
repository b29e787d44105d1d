import { randomUUID } from 'node:crypto';
import { errors, headers, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { fieldsOf, type Part } from './parts.ts';
import { isOvertaken } from './streams.ts';

/** An answer comes within milliseconds, except during an election. */
const ANSWER_MS = 2000;
/** The limit of the log servers for the time between messages of a batch is 10 s. */
const BATCH_ANSWER_MS = 8000;
/** Bytes that are handed to the connection before it must have sent them. */
const FLUSH_BYTES = 4 * 1024 * 1024;

/**
 * What became of one attempt to write parts.
 *
 * - `stored`: all of them; `sequence` is that of the last one
 * - `overtaken`: none of them by this attempt, because the stream's last message is not the
 *   expected one. It may be one that has no majority yet, and never gets it
 * - `refused`: none of them by this attempt, now or later
 * - `unknown`: they may be stored already, or later, or never
 */
export type Attempt =
  | { readonly kind: 'stored'; readonly sequence: number }
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown' };

/** Writes parts to the stream, all or none, behind the message with the sequence `expected`. */
export class Publisher {
  readonly #connection: NatsConnection;
  readonly #subject: string;
  #onClosed = () => {};

  /** `subject`: that of the stream's messages. */
  constructor(connection: NatsConnection, subject: string) {
    this.#connection = connection;
    this.#subject = subject;
    void connection.closed().then(() => this.#onClosed());
  }

  /** Tries once. Never throws. */
  async attempt(parts: readonly Part[], expected: number): Promise<Attempt> {
    const [first] = parts;
    const attempt =
      parts.length === 1
        ? await this.#request(first!, singleHeaders(first!, expected), ANSWER_MS)
        : await this.#batch(parts, expected);
    // At another place they are no part of the chain: what is at the expected one decides.
    const isElsewhere = attempt.kind === 'stored' && attempt.sequence !== expected + parts.length;
    return isElsewhere ? { kind: 'overtaken' } : attempt;
  }

  async #batch(parts: readonly Part[], expected: number): Promise<Attempt> {
    const batch = randomUUID();
    try {
      let unsent = 0;
      for (const part of parts.slice(0, -1)) {
        this.#connection.publish(this.#subject, part.body, { headers: batchHeaders(part, batch, expected) });
        unsent += part.body.length;
        if (unsent < FLUSH_BYTES) continue;
        await this.#flush();
        unsent = 0;
      }
    } catch (error) {
      // Without the last message, the servers drop the others.
      return refused(error instanceof Error ? error.message : String(error));
    }
    const last = parts.at(-1)!;
    return this.#request(last, batchHeaders(last, batch, expected), BATCH_ANSWER_MS);
  }

  /**
   * Resolves when the server has received what was published. If it does not answer, the
   * connection's pings end this; if the connection is closed, the client of NATS would wait for
   * ever.
   */
  async #flush(): Promise<void> {
    const closed = new Promise<never>((_, reject) => {
      this.#onClosed = () => reject(new Error('the connection was closed'));
    });
    await Promise.race([this.#connection.flush(), closed]);
  }

  async #request({ body }: Part, fields: MsgHdrs, timeout: number): Promise<Attempt> {
    try {
      return outcomeOf(await this.#connection.request(this.#subject, body, { headers: fields, timeout }));
    } catch (error) {
      // Nobody has received it.
      if (error instanceof errors.RequestError && error.isNoResponders())
        return refused('they have no leader');
      return { kind: 'unknown' };
    }
  }
}

function singleHeaders(part: Part, expected: number): MsgHdrs {
  const fields = headersOf(part);
  fields.set('Nats-Msg-Id', part.head.id);
  fields.set('Nats-Expected-Last-Sequence', String(expected));
  return fields;
}

function batchHeaders(part: Part, batch: string, expected: number): MsgHdrs {
  const fields = headersOf(part);
  fields.set('Nats-Batch-Id', batch);
  fields.set('Nats-Batch-Sequence', String(part.head.part));
  if (part.head.part === 1) fields.set('Nats-Expected-Last-Sequence', String(expected));
  if (part.head.part === part.head.count) fields.set('Nats-Batch-Commit', '1');
  return fields;
}

function headersOf(part: Part): MsgHdrs {
  const fields = headers();
  for (const [name, value] of fieldsOf(part)) fields.set(name, value);
  return fields;
}

interface Answer {
  readonly seq?: number;
  readonly error?: { readonly err_code?: number; readonly description?: string };
}

function outcomeOf(message: Msg): Attempt {
  const { seq, error } = message.json<Answer>();
  if (!error) return seq === undefined ? { kind: 'unknown' } : { kind: 'stored', sequence: seq };
  if (isOvertaken(error.err_code)) return { kind: 'overtaken' };
  return refused(error.description ?? `error ${error.err_code}`);
}

function refused(reason: string): Attempt {
  return { kind: 'refused', reason };
}
