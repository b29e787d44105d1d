import { type Result, toErrorData } from '../../errors.ts';
import { release } from '../../rdf/oxigraph/terms.ts';
import { applyOperation } from '../effects/data-update.ts';
import { type UpdateContext, UpdatedData } from '../effects/updated-data.ts';
import type { SparqlInstance } from '../instance.ts';
import { isOnData, type ModifyOperation, type UpdateOperation } from '../language/update/operations.ts';
import { readUpdate } from '../language/update/read-update.ts';
import type { SparqlEffects, UpdateRequest } from '../request.ts';
import type { Dataset } from './dataset.ts';
import { mergedStore } from './merged-store.ts';
import { asAppError, BrokenError } from './oxigraph-errors.ts';
import { Bindings } from './update/bindings.ts';
import { InstanceChanges } from './update/instance-changes.ts';
import { Modification } from './update/modify.ts';
import { RequestSpellings } from './update/request-spellings.ts';
import { datasetFor, select, variablesOf } from './update/select.ts';
import type { Solutions } from './update/solutions.ts';
import { updatedGraphs } from './update/updated-graphs.ts';

export interface UpdateOutcome {
  readonly result: Result<SparqlEffects>;
  /** Whether the instance no longer has the data of its commit and must be discarded. */
  readonly isSpoilt: boolean;
}

/**
 * Returns the effects of an update on the data of an instance. Afterwards the instance is unchanged
 * or spoilt. Errors: those of `dataEffects`, and of evaluation.
 */
export function evaluateUpdate(instance: SparqlInstance, request: UpdateRequest): UpdateOutcome {
  const run = new UpdateRun(instance, request);
  try {
    return { result: { ok: true, value: run.effects(readUpdate(request)) }, isSpoilt: run.end() };
  } catch (error) {
    const appError = asAppError(error);
    return {
      result: { ok: false, error: toErrorData(appError) },
      isSpoilt: appError instanceof BrokenError || run.end(),
    };
  }
}

/**
 * Returns the effects of operations on the data of an instance, which can't be used afterwards.
 * Errors: those of `operationEffects`, and of evaluation.
 */
export function patternEffects(
  instance: SparqlInstance,
  operations: readonly UpdateOperation[],
  request: UpdateContext,
): SparqlEffects {
  return new UpdateRun(instance, request).effects(operations);
}

class UpdateRun {
  readonly #instance: SparqlInstance;
  readonly #request: UpdateContext;
  readonly #data: UpdatedData;
  readonly #spellings: RequestSpellings;
  readonly #changes: InstanceChanges;

  constructor(instance: SparqlInstance, request: UpdateContext) {
    this.#instance = instance;
    this.#request = request;
    this.#data = new UpdatedData(instance.reader, request);
    this.#spellings = new RequestSpellings(instance);
    this.#changes = new InstanceChanges(instance, this.#data, this.#spellings);
  }

  effects(operations: readonly UpdateOperation[]): SparqlEffects {
    const lastPattern = operations.findLastIndex((operation) => !isOnData(operation));
    for (const [index, operation] of operations.entries()) {
      this.#data.watcher = index < lastPattern ? this.#changes : undefined;
      this.#do(operation);
      this.#changes.flush();
    }
    return this.#data.effects();
  }

  /** Undoes the changes. Returns whether the instance is spoilt. */
  end(): boolean {
    this.#changes.undo();
    return this.#changes.isSpoilt;
  }

  #do(operation: UpdateOperation): void {
    if (isOnData(operation)) applyOperation(this.#data, operation);
    else this.#modify(operation);
  }

  #modify(operation: ModifyOperation): void {
    const { settings } = this.#request;
    const dataset = datasetFor(operation, settings);
    const seen = dataset.default === 'union' ? [] : dataset.default;
    for (const graph of [...seen, ...(dataset.named ?? []), ...operation.named]) this.#data.dependOn(graph);
    const variables = variablesOf(operation);
    const solutions = this.#solutions(operation, variables, dataset);
    const bindings = new Bindings(this.#data, this.#spellings);
    new Modification(this.#data, operation, bindings, variables).apply(solutions);
  }

  #solutions(operation: ModifyOperation, variables: readonly string[], dataset: Dataset): Solutions {
    const { oxigraph, store } = this.#instance;
    const changes = this.#changes;
    if (dataset.default === 'union') {
      return select({ oxigraph, store, isMerged: changes.merged() }, operation, variables, dataset);
    }
    if (dataset.default.length < 2 || !changes.mayRepeat) {
      return select(this.#instance, operation, variables, dataset);
    }
    const { default: merged, named = [] } = dataset;
    const own = mergedStore(updatedGraphs(oxigraph, this.#data), merged, named);
    try {
      const whole = { ...dataset, default: 'union' } as const;
      return select({ oxigraph, store: own, isMerged: true }, operation, variables, whole);
    } finally {
      release(own);
    }
  }
}
