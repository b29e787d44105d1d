/** Whether changes of what a program looks up can always be traced back to its start resources. */
import type { Places } from './program-places.ts';
import type { Relation, Step, Untraceable } from './relation.ts';

/** Kinds of terms: the nodes at a place may be of some of them. */
const RESOURCES = 1;
const LITERALS = 2;
const BOTH = RESOURCES | LITERALS;

/** Returns what stands in the way; undefined if nothing does. */
export function obstacleOf({ all, reads }: Places): Untraceable | undefined {
  const kinds = new Uint8Array(all.length);
  for (const { place, step } of reads) kinds[place]! |= originsOf(step);
  const found: Untraceable[] = [];
  for (let place = all.length - 1; place > 0; place--) {
    const { parent, relation } = all[place]!;
    kinds[parent]! |= kindsBefore(relation, kinds[place]!, found);
  }
  return found.at(-1);
}

function originsOf({ forward, fromLiterals }: Step): number {
  return !forward && fromLiterals ? BOTH : RESOURCES;
}

/** Returns the kinds of nodes from which the relation leads to nodes of the given kinds. */
function kindsBefore(relation: Relation, kinds: number, found: Untraceable[]): number {
  if (kinds === 0) return 0;
  switch (relation.kind) {
    case 'self':
      return kinds;
    case 'nothing':
    case 'constant':
      return 0;
    case 'step':
      return relation.forward || kinds !== LITERALS ? originsOf(relation) : 0;
    case 'sequence':
      return relation.parts.reduceRight((after, part) => kindsBefore(part, after, found), kinds);
    case 'either':
      return relation.parts.reduce((sum, part) => sum | kindsBefore(part, kinds, found), 0);
    case 'repeat':
      return kindsBeforeRepeat(relation.part, kinds, found);
    case 'untraceable':
      if (!relation.onlyLiterals || (kinds & LITERALS) !== 0) found.push(relation);
      return 0;
  }
}

function kindsBeforeRepeat(part: Relation, kinds: number, found: Untraceable[]): number {
  let [known, before] = [0, kinds];
  while (known !== before) {
    known = before;
    before |= kindsBefore(part, known, found);
  }
  return known;
}
