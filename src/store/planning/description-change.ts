import { NO_GRAPH, type QuadBlock } from '../../rdf/model/quad-block.ts';
import { NO_TERM } from '../../rdf/model/term-id.ts';
import { DescriptionQuads } from '../../snapshot/read/description.ts';
import { QuadSet } from '../../snapshot/runs/quad-set.ts';
import type { PlanBasis } from '../../snapshot/write/change-plan.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import { Payload } from '../../snapshot/write/commit-payload.ts';
import { aboutResource } from '../graphs/block-description.ts';
import { ProtectedGraphs } from '../graphs/protected-graphs.ts';

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
  { resource, defaultGraph = '', protectedSpace }: Target,
  block: QuadBlock | undefined,
  blankPrefix: string,
): ResourcePlan {
  const kept = new QuadSet();
  const changesWith = (additions: Uint32Array): Changes => ({
    additions,
    removals: removals(basis, resource, kept, protectedSpace),
  });
  if (!block) return { changes: changesWith(new Uint32Array(0)), ignored: 0 };
  const rows = aboutResource(block, resource);
  const payload = new Payload(block, basis.dictionary, { graph: defaultGraph, always: true }, blankPrefix);
  const added = collectAdditions(basis, payload, rows, kept);
  return { changes: changesWith(added.rows()), ignored: block.quads.length / 4 - rows.length };
}

/**
 * Returns the quads that the store lacks; puts those that it has into `kept`. `rows`: the quads of
 * the payload that are used.
 */
function collectAdditions(
  basis: PlanBasis,
  payload: Payload,
  rows: readonly number[],
  kept: QuadSet,
): QuadSet {
  const reader = basis.reader();
  const added = new QuadSet();
  for (const row of rows) {
    const [s, p, o] = payload.quads.subarray(4 * row, 4 * row + 3) as unknown as [number, number, number];
    const known = [payload.known(s), payload.known(p), payload.known(o)] as const;
    if (!known.includes(NO_TERM) && reader.has(...known)) kept.add(...known, ANY_GRAPH);
    else added.add(payload.intern(s), payload.intern(p), payload.intern(o), payload.internGraph(NO_GRAPH));
  }
  return added;
}

function removals(basis: PlanBasis, resource: string, kept: QuadSet, protectedSpace: string): Uint32Array {
  const reader = basis.reader();
  const isProtected = new ProtectedGraphs(reader, protectedSpace);
  const removed = new QuadSet();
  const quads = new DescriptionQuads(reader, reader.find(`<${resource}>`));
  while (quads.next()) {
    const { subject, predicate, object, graph } = quads;
    if (kept.has(subject, predicate, object, ANY_GRAPH) || isProtected.has(graph)) continue;
    removed.add(subject, predicate, object, graph);
  }
  return removed.rows();
}
