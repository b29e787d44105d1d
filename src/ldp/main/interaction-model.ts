import { type Failure, failure, type Result } from '../../errors.ts';
import { type InteractionModel, isContainer, type LdpKind } from '../model/kinds.ts';
import { ldp } from '../model/vocabulary.ts';

/** `resource`: an LDP resource of an unstated kind that is not a container. */
export type RequestedInteractionModel = InteractionModel | 'resource';

const containers: ReadonlyMap<string, InteractionModel> = new Map([
  [ldp.BasicContainer, 'basic'],
  [ldp.DirectContainer, 'direct'],
  [ldp.IndirectContainer, 'indirect'],
]);

const others: ReadonlySet<string> = new Set([ldp.Resource, ldp.RDFSource, ldp.NonRDFSource, ldp.Container]);

/**
 * Returns the interaction model that a request asks for, from the targets of its links of type
 * `type` (http-api 5.8); null if it has no such links. Error `bad-interaction-model`.
 */
export function requestedModel(types: readonly string[]): Result<RequestedInteractionModel | null> {
  const unknown = types.find((type) => !containers.has(type) && !others.has(type));
  if (unknown !== undefined) return bad(`<${unknown}> is not an interaction model.`);
  const specific = new Set(types.map((type) => containers.get(type)).filter((model) => model !== undefined));
  if (specific.size > 1) return bad('A resource can be a container of only one kind.');
  const container = [...specific][0] ?? (types.includes(ldp.Container) ? 'basic' : undefined);
  const isSource = types.includes(ldp.RDFSource);
  if (types.includes(ldp.NonRDFSource)) {
    if (container || isSource) return bad('A resource cannot be both an RDF source and a binary.');
    return { ok: true, value: 'binary' };
  }
  if (container) return { ok: true, value: container };
  if (isSource) return { ok: true, value: 'rdf-source' };
  return { ok: true, value: types.length > 0 ? 'resource' : null };
}

/**
 * Whether a request may ask for this model of an existing resource: it must be the one that the
 * resource has, because models never change (http-api L-55).
 */
export function agrees(requested: RequestedInteractionModel | null, kind: LdpKind): boolean {
  if (requested === null || requested === kind) return true;
  if (requested === 'resource') return !isContainer(kind);
  return requested === 'rdf-source' && kind === 'description';
}

function bad(message: string): Failure {
  return failure('bad-interaction-model', message);
}
