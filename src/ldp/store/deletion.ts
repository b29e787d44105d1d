import { formatTerm, iri } from '../../rdf/model/term.ts';
import { type PlanBasis, planDrop } from '../../snapshot/write/change-plan.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import type { Stamp } from '../../store/graphs/effects.ts';
import { planContent } from '../../store/planning/registry-rows.ts';
import { contentOf, type StoredContent } from '../../store/registry/resource-registry.ts';
import { descriptionOf, parentOf } from '../model/names.ts';
import { ldp } from '../model/vocabulary.ts';
import { type LdpEntry, ldpEntry } from '../registry.ts';
import { contentTriples, formatTriples } from './content-triples.ts';
import { LdpDraft } from './draft.ts';
import { requireWritableMembers } from './member-rights.ts';
import { configurationOf } from './membership.ts';
import type { LdpClient, LdpOperation } from './operation.ts';
import { buryResource, touch } from './resource-rows.ts';
import { membersOf, removeMember } from './support.ts';

/** Removes a live resource for good (http-api L-80). */
export function planLdpDelete(
  basis: PlanBasis,
  { target, client }: LdpOperation & { kind: 'ldp-delete' },
  entry: LdpEntry,
  stamp: Stamp,
): Changes {
  const reader = basis.reader();
  const content = contentOf(reader, reader.find(formatTerm(iri(target))));
  const draft = new LdpDraft(basis, stamp, [
    planDrop(basis, content ? descriptionOf(target) : target),
    ...(content ? [planContent(basis, target, null, stamp.sequence)] : []),
  ]);
  buryResource(draft, target, entry);
  if (content) buryDescription(draft, target, content);
  leaveParent(draft, target, client);
  return draft.changes();
}

function buryDescription(draft: LdpDraft, binary: string, content: StoredContent): void {
  for (const triple of [...contentTriples(binary, content), ...formatTriples(binary)]) {
    draft.removeManaged(triple);
  }
  const description = descriptionOf(binary);
  const entry = ldpEntry(draft.reader, description);
  if (entry && entry !== 'gone') buryResource(draft, description, entry);
}

/** Removes containment and membership (http-api L-50). */
function leaveParent(draft: LdpDraft, child: string, client: LdpClient | undefined): void {
  const parent = parentOf(child);
  draft.removeManaged([formatTerm(iri(parent)), formatTerm(iri(ldp.contains)), formatTerm(iri(child))]);
  touch(draft, parent);
  const configuration = configurationOf(draft.reader, parent);
  if (!configuration) return;
  const members = membersOf(draft.reader, child);
  requireWritableMembers(draft, client, configuration, members);
  for (const member of members) removeMember(draft, configuration, child, member);
}
