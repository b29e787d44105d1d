import type { AffectedStarts } from '../../../ldpath/affected/changed-results.ts';
import type { AffectedPlan } from '../../../ldpath/affected/program-plan.ts';
import { StartMembership } from '../../../ldpath/affected/start-membership.ts';
import type { QuadCursor } from '../../../rdf/model/quad-cursor.ts';
import type { DeclaredStartSet } from '../../../rdf/model/resources/start-set.ts';
import { RDF } from '../../../rdf/model/term.ts';
import type { TermId } from '../../../rdf/model/term-id.ts';
import { isIriTerm } from '../../../rdf/model/triple-term.ts';
import type { SnapshotReader } from '../../../snapshot/read/reader.ts';
import type { WindowStates } from './window-states.ts';

/** The most members of a set that are all evaluated again. */
const MOST_STARTS = 10_000;
/** The most quads that are read to find them. */
const MOST_QUADS = 1_000_000;

/**
 * Returns all start resources of both states, for a program whose affected ones are not known;
 * `too-many` if the set is large.
 */
export function everyStart({ startSet }: AffectedPlan, states: WindowStates): AffectedStarts | 'too-many' {
  const { present, earlier, changes } = states;
  const ids = new Set<TermId>();
  if (!addMembers(startSet, present, ids) || !addMembers(startSet, earlier, ids)) return 'too-many';
  const oldMembers = new StartMembership(startSet, changes).madeBy([changes.unsure]);
  for (const id of oldMembers) ids.add(id);
  const all = Uint32Array.from(ids).sort();
  return {
    ids: all,
    incomparable: changes.unsure.length > 0 ? all : new Uint32Array(0),
    oldMembers: Uint32Array.from(oldMembers).sort(),
  };
}

/** Returns false if there are too many. */
function addMembers(set: DeclaredStartSet, graph: SnapshotReader, ids: Set<TermId>): boolean {
  const quads = quadsOf(set, graph);
  for (let count = 0, last = 0; quads?.next(); ) {
    if (!graph.sees(quads.graph)) continue;
    if (++count > MOST_QUADS || ids.size > MOST_STARTS) return false;
    const { subject } = quads;
    if (subject === last) continue;
    last = subject;
    if (isIriTerm(graph.text(subject))) ids.add(subject);
  }
  return ids.size <= MOST_STARTS;
}

/** The quads whose subjects are the members, and perhaps some that are not visible. */
function quadsOf(set: DeclaredStartSet, graph: SnapshotReader): QuadCursor | undefined {
  switch (set.kind) {
    case 'type': {
      const [type, object] = [graph.find(`<${RDF}type>`), graph.find(`<${set.iri}>`)];
      return type && object ? graph.objectCursor(object, type) : undefined;
    }
    case 'graph':
      return graph.graphCursor(graph.find(`<${set.iri}>`));
    case 'subjects':
      return graph.visibleQuads();
  }
}
