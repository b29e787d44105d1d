import type { Caller } from '../../base/caller.ts';
import { maySee, visiblePatterns } from '../../base/graph-access.ts';
import { type ErrorData, failure, type Result } from '../../errors.ts';
import type { Pool } from '../../pool/pool.ts';
import { newIdentity } from '../../pool/tasks/map.ts';
import type { SparqlEffects, SparqlUpdate, UpdateSettings, WaitingUpdate } from '../../sparql/request.ts';
import type { GraphHold, StoreClient } from '../../store/main/client.ts';
import type { TransactionResult } from '../../store/main/transaction.ts';
import type { PrefixService } from '../prefixes/service.ts';
import type { Import, ImportTasks } from '../tasks/import-tasks.ts';
import { watchClient } from '../tasks/watch-client.ts';
import { permittedEffects } from './permitted-effects.ts';
import { withServerPrefixes } from './server-prefixes.ts';
import { updateTransaction } from './update-transaction.ts';

/** The part of the SPARQL engine that evaluates updates. */
export interface UpdateEngine {
  /** Why SPARQL is switched off; null if it is available. */
  readonly switchedOff: ErrorData | null;
  /** Returns the effects of an update on the newest data, without changing anything. */
  update(update: WaitingUpdate, caller: Caller): Promise<Result<SparqlEffects>>;
}

export interface UpdateOutcome {
  /** Number of the commit, or of the newest commit if the update changed nothing. */
  readonly sequence: number;
  /** Numbers of triples. */
  readonly added: number;
  readonly removed: number;
}

interface UpdateParts {
  readonly pool: Pick<Pool, 'workOutData'>;
  readonly engine: UpdateEngine;
  readonly store: Pick<StoreClient, 'graphs' | 'writeError' | 'beginCommit' | 'hold'>;
  readonly imports: ImportTasks;
  readonly prefixes: Pick<PrefixService, 'table'>;
  readonly settings: UpdateSettings;
}

/** Attempts without and then with a hold on the graphs, which makes other writers wait. */
const FREE_ATTEMPTS = 3;
const HELD_ATTEMPTS = 20;

/**
 * Matches the keywords of operations that depend on whether an empty graph exists. The next keyword
 * may follow without white space, and an escape may hide the keyword.
 */
const aboutGraphs = /\b(?:CREATE|DROP|CLEAR|COPY|MOVE|ADD)|\\u/i;

const clientLeft = failure('cancelled', 'The client disconnected before anything was changed.');

/** An update in progress. */
interface Running {
  readonly update: SparqlUpdate;
  readonly task: Import;
  readonly hasLeft: () => boolean;
  /** Whether the update has patterns, as far as is known. */
  hasPatterns: boolean;
  /** The graphs that the last attempt depended on or changed. */
  readonly graphs: Set<string>;
}

/**
 * Carries out SPARQL updates, each as one transaction. The effects of an update are evaluated on
 * the newest data, and committed if the graphs that it depends on are still the same. Otherwise it
 * is evaluated again. After a few attempts, other writers of these graphs wait until it is done.
 */
export class SparqlUpdates {
  readonly #parts: UpdateParts;

  constructor(parts: UpdateParts) {
    this.#parts = parts;
  }

  /**
   * The update is durable when the promise resolves. Errors: those of `SparqlDataJob`, of the
   * engine, and of the commit.
   */
  async update(update: SparqlUpdate, caller: Caller): Promise<Result<UpdateOutcome>> {
    const error = this.#parts.engine.switchedOff ?? this.#parts.store.writeError;
    if (error) return { ok: false, error };
    return withServerPrefixes(update.text, this.#parts.prefixes, (text) =>
      this.#carryOut({ ...update, text }, caller),
    );
  }

  async #carryOut(update: SparqlUpdate, caller: Caller): Promise<Result<UpdateOutcome>> {
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
   * Makes other writers of the same graphs wait. Commits that are already under way can still come
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
    return failure(
      'overloaded',
      'Other clients keep changing the graphs of the update. Nothing was changed.',
      {
        retryAfter: 1,
      },
    );
  }

  /** Repeats attempts as long as the update needs no graph beyond those that are held. */
  async #attemptHeld(running: Running, hold: GraphHold): Promise<Result<UpdateOutcome> | undefined> {
    const held = running.graphs.size;
    for (let attempt = 0; attempt < HELD_ATTEMPTS && running.graphs.size === held; attempt++) {
      const done = await this.#attempt(running, hold);
      if (done) return done;
    }
    return undefined;
  }

  /** Resolves with undefined if another commit came first. */
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
    const committed = await this.#parts.imports.during(running.task, triples, commit);
    if (committed.ok) return { ok: true, value: outcomeOf(committed.value) };
    return committed.error.code === 'precondition-failed' ? undefined : committed;
  }

  async #workOut(running: Running): Promise<Result<SparqlEffects>> {
    const { pool, engine } = this.#parts;
    const { task } = running;
    const update = this.#waiting(running.update, task.caller);
    if (!running.hasPatterns) {
      const worked = await pool.workOutData(update, task.info, task.caller);
      if (!worked.ok) return worked;
      if (worked.value.effects) return permittedEffects(worked.value.effects, task.caller);
      running.hasPatterns = true;
    }
    const worked = await engine.update(update, task.caller);
    return worked.ok ? permittedEffects(worked.value, task.caller) : worked;
  }

  #waiting(update: SparqlUpdate, caller: Caller): WaitingUpdate {
    const { store, settings } = this.#parts;
    const { text } = update;
    const visible = visiblePatterns(caller);
    const isAboutGraphs = aboutGraphs.test(text);
    const emptyGraphs = () => {
      const empty = isAboutGraphs ? [...store.graphs.empty] : [];
      return visible ? empty.filter((graph) => maySee(caller, graph)) : empty;
    };
    const requestNow = () => ({ ...update, visible, settings, emptyGraphs: emptyGraphs() });
    return { text, visible, requestNow };
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
