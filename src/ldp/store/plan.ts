import { formatTerm, iri } from '../../rdf/model/term.ts';
import { type PlanBasis, planEdit, planReplace } from '../../snapshot/write/change-plan.ts';
import { type Changes, isEmpty, noChanges } from '../../snapshot/write/changes.ts';
import type { Stamp } from '../../store/graphs/effects.ts';
import { isSame, planContent } from '../../store/planning/registry-rows.ts';
import { contentOf } from '../../store/registry/resource-registry.ts';
import { descriptionOf } from '../model/names.ts';
import { type LdpEntry, ldpEntry } from '../registry.ts';
import { contentTriples } from './content-triples.ts';
import { planLdpCreate, planLdpRoot } from './creation.ts';
import { planLdpDelete } from './deletion.ts';
import { LdpDraft } from './draft.ts';
import type { LdpOperation } from './operation.ts';
import { renew, touch } from './resource-rows.ts';

/**
 * Plans an operation on the LDP space, see `change-plan.ts` of the snapshot. The operation must
 * have passed `ldpRejection`.
 */
export function planLdp(
  basis: PlanBasis,
  operation: LdpOperation,
  stamp: Stamp,
  blankPrefix: string,
): Changes {
  const { kind, target } = operation;
  if (kind === 'ldp-create') return planLdpCreate(basis, operation, stamp, blankPrefix);
  if (kind === 'ldp-root') return planLdpRoot(basis, target, operation.label, stamp);
  const entry = ldpEntry(basis.reader(), target) as LdpEntry;
  // If the user triples stay the same, state and dates do too (http-api L-72, G-72).
  const withNewState = (changes: Changes) => {
    if (isEmpty(changes)) return changes;
    const draft = new LdpDraft(basis, stamp, [changes]);
    renew(draft, target, entry);
    return draft.changes();
  };
  switch (kind) {
    case 'ldp-replace':
      return withNewState(planReplace(basis, target, operation.block, blankPrefix));
    case 'ldp-edit':
      return withNewState(planEdit(basis, target, operation, blankPrefix));
    case 'ldp-content':
      return planNewContent(basis, operation, entry, stamp);
    case 'ldp-delete':
      return planLdpDelete(basis, operation, entry, stamp);
  }
}

/** The description states properties of the content, so it changes too. */
function planNewContent(
  basis: PlanBasis,
  { target, content }: Extract<LdpOperation, { readonly kind: 'ldp-content' }>,
  entry: LdpEntry,
  stamp: Stamp,
): Changes {
  const reader = basis.reader();
  const before = contentOf(reader, reader.find(formatTerm(iri(target))));
  if (before && isSame(content, before)) return noChanges;
  const draft = new LdpDraft(basis, stamp, [planContent(basis, target, content, stamp.sequence)]);
  const stated = before ? contentTriples(target, before) : [];
  for (const [i, triple] of contentTriples(target, content).entries()) {
    const [, , object] = triple;
    if (stated[i]?.[2] === object) continue;
    if (stated[i]) draft.removeManaged(stated[i]);
    draft.addManaged(triple);
  }
  renew(draft, target, entry);
  touch(draft, descriptionOf(target));
  return draft.changes();
}
