import type { QuadBlock } from '../../rdf/model/quad-block.ts';
import { formatTerm, iri, literal } from '../../rdf/model/term.ts';
import { type PlanBasis, planReplace } from '../../snapshot/write/change-plan.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import type { Stamp } from '../../store/graphs/effects.ts';
import { planContent } from '../../store/planning/registry-rows.ts';
import type { StoredContent } from '../../store/registry/resource-registry.ts';
import type { InteractionModel } from '../model/kinds.ts';
import { descriptionOf, parentOf } from '../model/names.ts';
import { ldp, RDFS_LABEL } from '../model/vocabulary.ts';
import { ancestryOf } from './ancestry.ts';
import { contentTriples, formatTriples } from './content-triples.ts';
import { LdpDraft } from './draft.ts';
import { requireWritable, requireWritableMembers } from './member-rights.ts';
import { configurationOf, configurationTriples, membersFor } from './membership.ts';
import type { LdpClient, LdpOperation } from './operation.ts';
import { makeResource, touch } from './resource-rows.ts';
import { addMember } from './support.ts';

/** Creates a resource and its missing ancestors (http-api 5.6, L-66). */
export function planLdpCreate(
  basis: PlanBasis,
  operation: LdpOperation & { kind: 'ldp-create' },
  stamp: Stamp,
  blankPrefix: string,
): Changes {
  const { target, model, configuration, block, content, client } = operation;
  const graph = content ? descriptionOf(target) : target;
  const draft = new LdpDraft(basis, stamp, [
    // A graph loaded earlier may have the same name as the new resource.
    planReplace(basis, graph, block, blankPrefix),
    ...(content ? [planContent(basis, target, content, stamp.sequence)] : []),
  ]);
  for (const ancestor of ancestryOf(draft.reader, target).missing) {
    makeResource(draft, ancestor, 'basic');
    joinParent(draft, { uri: ancestor, model: 'basic', block: null, client });
  }
  makeResource(draft, target, model);
  if (content) makeDescription(draft, target, content);
  if (configuration) requireWritable(draft, client, configuration.membershipResource);
  for (const triple of configuration ? configurationTriples(target, configuration) : []) {
    draft.addManaged(triple);
  }
  joinParent(draft, { uri: target, model, block, client });
  return draft.changes();
}

/** Creates the root container (http-api L-1). */
export function planLdpRoot(basis: PlanBasis, target: string, label: string, stamp: Stamp): Changes {
  const draft = new LdpDraft(basis, stamp, []);
  makeResource(draft, target, 'basic');
  draft.addManaged([formatTerm(iri(target)), formatTerm(iri(RDFS_LABEL)), formatTerm(literal(label))]);
  return draft.changes();
}

function makeDescription(draft: LdpDraft, binary: string, content: StoredContent): void {
  makeResource(draft, descriptionOf(binary), 'description');
  for (const triple of [...contentTriples(binary, content), ...formatTriples(binary)])
    draft.addManaged(triple);
}

interface NewChild {
  readonly uri: string;
  readonly model: InteractionModel;
  readonly block: QuadBlock | null;
  readonly client: LdpClient | undefined;
}

/**
 * Writes containment and membership (http-api L-36, L-47). A parent created in the same operation
 * has no configuration.
 */
function joinParent(draft: LdpDraft, child: NewChild): void {
  const parent = parentOf(child.uri);
  draft.addManaged([formatTerm(iri(parent)), formatTerm(iri(ldp.contains)), formatTerm(iri(child.uri))]);
  touch(draft, parent);
  const configuration = configurationOf(draft.reader, parent);
  if (!configuration) return;
  const members = membersFor(configuration, child);
  requireWritableMembers(draft, child.client, configuration, members);
  for (const member of members) addMember(draft, configuration, child.uri, member);
}
