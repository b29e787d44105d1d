import type { Caller } from '../../base/caller.ts';
import { type ErrorData, failure, type Result } from '../../errors.ts';
import type { Pool } from '../../pool/pool.ts';
import { newIdentity } from '../../pool/tasks/map.ts';
import type { SparqlEffects, SparqlUpdate, UpdateSettings, WaitingUpdate } from '../../sparql/request.ts';
import type { GraphHold, StoreClient } from '../../store/main/client.ts';
import type { TransactionResult } from '../../store/main/transaction.ts';
import type { Import, ImportTasks } from '../tasks/import-tasks.ts';
import { watchClient } from '../tasks/watch-client.ts';
import { updateTransaction } from './update-transaction.ts';

/** What a SPARQL thread does for updates. */
export interface UpdateEngine {
  /** Why there is no SPARQL at all; null when there is. */
  readonly switchedOff: ErrorData | null;
  /** What an update does to the newest data; nothing is changed by that. */
  update(update: WaitingUpdate, caller: Caller): Promise<Result<SparqlEffects>>;
}

export interface UpdateOutcome {
  /** Number of the commit; of the newest one where nothing changed. */
  readonly sequence: number;
  /** Triples. */
  readonly added: number;
  readonly removed: number;
}

interface UpdateParts {
  readonly pool: Pick<Pool, 'workOutData'>;
  readonly engine: UpdateEngine;
  readonly store: Pick<StoreClient, 'graphs' | 'writeFault' | 'beginCommit' | 'hold'>;
  readonly storing: ImportTasks;
  readonly settings: UpdateSettings;
}

/** Attempts beside others, and then attempts during which others wait. */
const FREE_ATTEMPTS = 3;
const HELD_ATTEMPTS = 20;

/**
 * Begins like an operation for which it matters whether an empty graph exists. The next keyword may
 * follow without white space, and an escape may hide the word.
 */
const aboutGraphs = /\b(?:CREATE|DROP|CLEAR|COPY|MOVE|ADD)|\\u/i;

const clientLeft = failure('cancelled', 'The client went away before anything was changed.');

/** An update that is carried out. */
interface Running {
  readonly update: SparqlUpdate;
  readonly task: Import;
  readonly hasLeft: () => boolean;
  /** Whether it has patterns, as far as that is known. */
  hasPatterns: boolean;
  /** What the last attempt depended on or changed. */
  readonly graphs: Set<string>;
}

/**
 * SPARQL updates, each of them one transaction. What an update comes to is worked out on the newest
 * data, and committed if the graphs that it depends on are still as they were. Else all is done
 * anew; after a few attempts others that change these graphs wait until it is done.
 */
export class SparqlUpdates {
  readonly #parts: UpdateParts;

  constructor(parts: UpdateParts) {
    this.#parts = parts;
  }

  /**
   * Durable when the promise resolves. Errors: those of `SparqlDataJob`, of the engine, and of the
   * commit.
   */
  async update(update: SparqlUpdate, caller: Caller): Promise<Result<UpdateOutcome>> {
    const error = this.#parts.engine.switchedOff ?? this.#parts.store.writeFault;
    if (error) return { ok: false, error };
    const task = newTask(update, caller);
    const hasLeft = watchClient(caller);
    const running = { update, task, hasLeft, hasPatterns: false, graphs: new Set<string>() };
    for (let attempt = 0; attempt < FREE_ATTEMPTS; attempt++) {
      const done = await this.#attempt(running, this.#parts.store);
      if (done) return done;
    }
    return this.#inTurn(running);
  }

  /**
   * Others that change the same graphs wait; those that were on their way already can still come
   * first.
   */
  async #inTurn(running: Running): Promise<Result<UpdateOutcome>> {
    for (let attempt = 0; attempt < HELD_ATTEMPTS; attempt++) {
      const hold = await this.#parts.store.hold(running.graphs);
      try {
        const done = await this.#attemptHeld(running, hold);
        if (done) return done;
      } finally {
        hold.release();
      }
    }
    return failure('overloaded', 'The graphs of the update change all the time. Nothing was changed.', {
      retryAfter: 1,
    });
  }

  /** Goes on while the graphs that it is about are those that are held. */
  async #attemptHeld(running: Running, hold: GraphHold): Promise<Result<UpdateOutcome> | undefined> {
    const held = running.graphs.size;
    for (let attempt = 0; attempt < HELD_ATTEMPTS && running.graphs.size === held; attempt++) {
      const done = await this.#attempt(running, hold);
      if (done) return done;
    }
    return undefined;
  }

  /** Undefined when it was overtaken. */
  async #attempt(
    running: Running,
    committer: Pick<GraphHold, 'beginCommit'>,
  ): Promise<Result<UpdateOutcome> | undefined> {
    if (running.hasLeft()) return clientLeft;
    const worked = await this.#workOut(running);
    if (!worked.ok) return worked;
    if (running.hasLeft()) return clientLeft;
    const { additions, removals, changed, unchanged } = worked.value;
    for (const graph of [...changed, ...unchanged.map((seen) => seen.graph)]) running.graphs.add(graph);
    const triples = (additions.quads.length + removals.quads.length) / 4;
    const commit = committer.beginCommit(updateTransaction(worked.value));
    const committed = await this.#parts.storing.during(running.task, triples, commit);
    if (committed.ok) return { ok: true, value: outcomeOf(committed.value) };
    return committed.error.code === 'precondition-failed' ? undefined : committed;
  }

  async #workOut(running: Running): Promise<Result<SparqlEffects>> {
    const { pool, engine } = this.#parts;
    const { task } = running;
    const update = this.#waiting(running.update);
    if (!running.hasPatterns) {
      const worked = await pool.workOutData(update, task.info, task.caller);
      if (!worked.ok) return worked;
      if (worked.value.effects) return { ok: true, value: worked.value.effects };
      running.hasPatterns = true;
    }
    return engine.update(update, task.caller);
  }

  #waiting(update: SparqlUpdate): WaitingUpdate {
    const { store, settings } = this.#parts;
    const { text } = update;
    const isAboutGraphs = aboutGraphs.test(text);
    const emptyGraphs = () => (isAboutGraphs ? [...store.graphs.empty] : []);
    return { text, requestNow: () => ({ ...update, settings, emptyGraphs: emptyGraphs() }) };
  }
}

function newTask({ text, baseIri }: SparqlUpdate, caller: Caller): Import {
  const detail = { baseUri: baseIri, characters: String(text.length) };
  const info = { identity: newIdentity(), group: 'SPARQL', label: 'SPARQL update', detail } as const;
  return { info, caller };
}

function outcomeOf({ sequence, outcomes }: TransactionResult): UpdateOutcome {
  const [{ added, removed } = { added: 0, removed: 0 }] = outcomes;
  return { sequence, added, removed };
}
