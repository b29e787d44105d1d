import { AppError } from '../../../errors.ts';
import type { QuadBlock } from '../../../rdf/model/quad-block.ts';
import { withBoundedOxigraph } from '../../../rdf/oxigraph/bounded.ts';
import { OxigraphPanic } from '../../../rdf/oxigraph/panic.ts';
import { release } from '../../../rdf/oxigraph/terms.ts';
import type { SnapshotReader } from '../../../snapshot/read/reader.ts';
import { operationEffects } from '../../../sparql/effects/data-update.ts';
import { asAppError, BrokenError } from '../../../sparql/engine/oxigraph-errors.ts';
import { patternEffects } from '../../../sparql/engine/update.ts';
import type { Oxigraph } from '../../../sparql/instance.ts';
import { isOnData, type UpdateOperation } from '../../../sparql/language/update/operations.ts';
import type { SparqlEffects, UpdateRequest, UpdateSettings } from '../../../sparql/request.ts';
import { termOfBlock } from '../../../store/graphs/block-terms.ts';
import type { ShownTarget } from '../body.ts';
import type { PatchSteps } from '../patch-changes.ts';
import { PatchRows } from '../patch-rows.ts';
import { isBrief } from './brief.ts';
import { PatchInstance } from './patch-instance.ts';
import { patchOperations } from './patch-operations.ts';
import { RepresentedData } from './represented-data.ts';

/** Memory that Oxigraph may use to evaluate one patch. */
const MAX_MEMORY_BYTES = 512 * 1024 * 1024;
/** Triples that a patch with patterns may add. */
const MAX_ADDED = 250_000;
/** Patches of at most this many characters are read quickly. */
const FEW_CHARACTERS = 4 * 1024;
/** Representations of at most this many triples are loaded quickly. */
const FEW_TRIPLES = 1_000;

type Settings = Pick<UpdateRequest, 'emptyGraphs' | 'settings'>;

/**
 * Returns the triples that an update adds to and removes from the representation of a resource,
 * which is its default graph (http-api L-70). With `brief`, returns null if it may take longer than
 * a few milliseconds. Errors: `parse-error` with line and column, `unsupported-patch`, `too-large`.
 */
export function readSparqlUpdate(
  reader: SnapshotReader,
  { target, visible }: ShownTarget,
  source: string,
  brief: boolean,
): PatchSteps | null {
  if (brief && source.length > FEW_CHARACTERS) return null;
  const operations = patchOperations(source, target);
  // Operations on data alone can be evaluated without reading the target.
  if (operations.every(isOnData)) {
    const settings = settingsFor(target, 'default', Number.POSITIVE_INFINITY);
    return stepsOf(operationEffects(reader, operations, settings));
  }
  if (brief && !isBrief(operations, 0)) return null;
  const most = brief ? FEW_TRIPLES : Number.POSITIVE_INFINITY;
  const data = RepresentedData.read(reader, { target, ...(visible && { visible }) }, most);
  if (!data || (brief && !isBrief(operations, data.size))) return null;
  const effects = boundedEffects(data, operations, settingsFor(target, 'union', data.size + MAX_ADDED));
  if (effects.additions.quads.length > 4 * MAX_ADDED) {
    throw new AppError('too-large', `A patch can add at most ${MAX_ADDED} triples.`);
  }
  return stepsOf(effects);
}

/** No graph is protected here: the effects are checked for managed triples later. */
function settingsFor(
  target: string,
  defaultGraphIs: UpdateSettings['defaultGraphIs'],
  maxChanges: number,
): Settings {
  const settings = { defaultGraphIs, defaultGraph: target, ldpSpace: '', maxChanges };
  return { emptyGraphs: [], settings };
}

function boundedEffects(
  data: RepresentedData,
  operations: readonly UpdateOperation[],
  settings: Settings,
): SparqlEffects {
  try {
    return withBoundedOxigraph(MAX_MEMORY_BYTES, (oxigraph) =>
      effectsOf(oxigraph, data, operations, settings),
    );
  } catch (error) {
    throw patchError(error instanceof OxigraphPanic ? asAppError(error) : error);
  }
}

function effectsOf(
  oxigraph: Oxigraph,
  data: RepresentedData,
  operations: readonly UpdateOperation[],
  settings: Settings,
): SparqlEffects {
  const instance = new PatchInstance(oxigraph, data);
  try {
    return patternEffects(instance, operations, settings);
  } catch (error) {
    // Oxigraph's own error shows that its instance is broken.
    throw error instanceof BrokenError ? error.cause : error;
  } finally {
    release(instance.store);
  }
}

function patchError(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'unsupported-sparql') return error;
  return new AppError('unsupported-patch', error.message, { ...error.details, source: 'body' });
}

function stepsOf({ removals, additions }: SparqlEffects): PatchSteps {
  const rows = new PatchRows(removals.termBytes.length + additions.termBytes.length);
  push(rows, false, removals);
  push(rows, true, additions);
  return rows.finish();
}

function push(rows: PatchRows, added: boolean, block: QuadBlock): void {
  const { quads } = block;
  const term = (at: number) => termOfBlock(block, quads[at]!);
  for (let at = 0; at < quads.length; at += 4) rows.push(added, term(at), term(at + 1), term(at + 2));
}
