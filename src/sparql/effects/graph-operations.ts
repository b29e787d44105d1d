import { AppError, fromErrorData, noSuchGraph } from '../../errors.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import { isServerGraph } from '../../snapshot/graphs/system-graph.ts';
import type { ClearTarget, TransferOperation, UpdateOperation } from '../language/update/operations.ts';
import type { UpdatedData } from './updated-data.ts';

type ClearOperation = Extract<UpdateOperation, { readonly kind: 'clear' | 'drop' }>;
type CreateOperation = Extract<UpdateOperation, { readonly kind: 'create' }>;

/**
 * `CLEAR` and `DROP`. If they name no graph, they leave out graphs that clients may not change.
 * Error `graph-not-found`.
 */
export function clearGraphs(data: UpdatedData, { kind, silent, target }: ClearOperation): void {
  for (const graph of targets(data, target)) {
    if (!mustExist(data, graph, silent)) continue;
    if (kind === 'clear') data.clear(graph);
    else data.drop(graph);
  }
}

function targets(data: UpdatedData, target: ClearTarget): TermId[] {
  const defaultGraph = data.graphId(data.settings.defaultGraph);
  if (typeof target === 'object') return [data.graphId(target.graph)];
  if (target === 'default') return [defaultGraph];
  const all = data.writableGraphs();
  return target === 'all' ? all : all.filter((graph) => graph !== defaultGraph);
}

/** `CREATE`. Error `graph-exists`. */
export function createGraph(data: UpdatedData, { silent, graph }: CreateOperation): void {
  const id = data.graphId(graph);
  if (!silent) data.dependOn(graph);
  if (data.exists(id) && !silent) {
    throw new AppError('graph-exists', `The graph <${graph}> already exists.`, { uri: graph });
  }
  data.create(id);
}

/**
 * `COPY`, `MOVE` and `ADD`. The server's own graphs can't be read and count as missing. Errors:
 * `graph-not-found`, `too-large`.
 */
export function transferGraph(data: UpdatedData, { kind, silent, from, to }: TransferOperation): void {
  const { defaultGraph } = data.settings;
  const source = data.graphId(from ?? defaultGraph);
  const target = data.graphId(to ?? defaultGraph);
  data.dependOn(data.graphName(source));
  const isReadable = !isServerGraph(data.graphName(source)) && data.exists(source);
  if (!isReadable && !silent) throw notFound(data, source);
  if (!isReadable || source === target) return;
  const quads = data.quadsOf(source);
  if (kind !== 'add') data.clear(target);
  data.create(target);
  for (let at = 0; at < quads.length; at += 4) {
    data.add(quads[at]!, quads[at + 1]!, quads[at + 2]!, target);
  }
  if (kind === 'move') data.drop(source);
}

function mustExist(data: UpdatedData, graph: TermId, silent: boolean): boolean {
  if (data.exists(graph)) return true;
  if (silent) return false;
  throw notFound(data, graph);
}

function notFound(data: UpdatedData, graph: TermId): AppError {
  return fromErrorData(noSuchGraph(data.graphName(graph)).error);
}
