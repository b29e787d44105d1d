import { type GraphAccess, visiblePatterns } from '../../base/graph-access.ts';
import { NO_GRAPH, type QuadBlock } from '../../rdf/model/quad-block.ts';
import { NO_TERM } from '../../rdf/model/term-id.ts';
import { DescriptionQuads } from '../../snapshot/read/description.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { QuadSet } from '../../snapshot/runs/quad-set.ts';
import type { PlanBasis } from '../../snapshot/write/change-plan.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import { Payload } from '../../snapshot/write/commit-payload.ts';
import { aboutResource } from '../graphs/block-description.ts';
import { ProtectedGraphs } from '../graphs/protected-graphs.ts';
import { WritableGraphs } from './writable-graphs.ts';

/** The changes of an operation on a resource, and the other members of its `Outcome`. */
export interface ResourcePlan {
  readonly changes: Changes;
  readonly ignored: number;
  readonly contentSequence?: number;
}

interface Target {
  readonly resource: string;
  /** The graph of new triples; not used without a block. */
  readonly defaultGraph?: string;
  readonly protectedSpace: string;
  readonly access?: GraphAccess;
}

/** A placeholder for the graph where triples are compared, not quads. */
const ANY_GRAPH = 0;

/**
 * Makes the description of a resource equal to the one in a block, or empty if there is no block.
 * Blank nodes of the block are new ones, so the parts of the description that use blank nodes are
 * always replaced.
 */
export function planDescription(
  basis: PlanBasis,
  target: Target,
  block: QuadBlock | undefined,
  blankPrefix: string,
): ResourcePlan {
  const { resource, defaultGraph = '', access } = target;
  const kept = new QuadSet();
  const changesWith = (additions: Uint32Array): Changes => ({
    additions,
    removals: removals(basis, target, kept),
  });
  if (!block) return { changes: changesWith(new Uint32Array(0)), ignored: 0 };
  const rows = aboutResource(block, resource);
  const payload = new Payload(block, basis.dictionary, { graph: defaultGraph, always: true }, blankPrefix);
  const reader = visibleReader(basis, access);
  const added = collectAdditions(reader, payload, rows, kept);
  if (added.size > 0) new WritableGraphs(reader, access).requireName(defaultGraph);
  return { changes: changesWith(added.rows()), ignored: block.quads.length / 4 - rows.length };
}

/**
 * Returns the quads that the store lacks; puts those that it has into `kept`. `rows`: the quads of
 * the payload that are used.
 */
function collectAdditions(
  reader: SnapshotReader,
  payload: Payload,
  rows: readonly number[],
  kept: QuadSet,
): QuadSet {
  const added = new QuadSet();
  for (const row of rows) {
    const [s, p, o] = payload.quads.subarray(4 * row, 4 * row + 3) as unknown as [number, number, number];
    const known = [payload.known(s), payload.known(p), payload.known(o)] as const;
    if (!known.includes(NO_TERM) && reader.has(...known)) kept.add(...known, ANY_GRAPH);
    else added.add(payload.intern(s), payload.intern(p), payload.intern(o), payload.internGraph(NO_GRAPH));
  }
  return added;
}

function removals(
  basis: PlanBasis,
  { resource, protectedSpace, access }: Target,
  kept: QuadSet,
): Uint32Array {
  const reader = visibleReader(basis, access);
  const writable = new WritableGraphs(reader, access);
  const isProtected = new ProtectedGraphs(reader, protectedSpace);
  const removed = new QuadSet();
  const quads = new DescriptionQuads(reader, reader.find(`<${resource}>`));
  while (quads.next()) {
    const { subject, predicate, object, graph } = quads;
    if (kept.has(subject, predicate, object, ANY_GRAPH) || isProtected.has(graph)) continue;
    writable.require(graph);
    removed.add(subject, predicate, object, graph);
  }
  return removed.rows();
}

/** What the client does not see neither changes, nor counts as present. */
function visibleReader(basis: PlanBasis, access: GraphAccess | undefined): SnapshotReader {
  return basis.reader().visibleTo(visiblePatterns({ access }));
}
