import { type ErrorCode, type ErrorData, errorData } from '../../errors.ts';
import { formatTerm, iri } from '../../rdf/model/term.ts';
import { LDP_GRAPH } from '../../snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { isContainer, type MembershipConfiguration } from '../model/kinds.ts';
import { isManaged } from '../model/managed.ts';
import { isReserved, parentOf } from '../model/names.ts';
import { ldp } from '../model/vocabulary.ts';
import { type LdpEntry, ldpEntry } from '../registry.ts';
import { ancestryOf, MAX_NEW_ANCESTORS } from './ancestry.ts';
import type { LdpOperation } from './operation.ts';

/** Why an operation can't be done in the current state; undefined if it can. */
export function ldpRejection(reader: SnapshotReader, operation: LdpOperation): ErrorData | undefined {
  const { kind, target } = operation;
  const entry = ldpEntry(reader, target);
  if (entry === 'gone') return rejection('gone', target, 'was deleted; its URI cannot be used again');
  if (kind === 'ldp-create' || kind === 'ldp-root') {
    if (entry) return rejection('precondition-failed', target, 'exists');
    return kind === 'ldp-root' ? undefined : creationRejection(reader, operation);
  }
  if (!entry) return rejection('resource-not-found', target, 'does not exist');
  if (kind === 'ldp-delete') return deletionRejection(reader, target, entry);
  if ((kind === 'ldp-content') === (entry.kind === 'binary')) return undefined;
  return rejection('type-conflict', target, `is of another kind (${entry.kind})`);
}

function creationRejection(
  reader: SnapshotReader,
  { target, ancestors, configuration }: LdpOperation & { kind: 'ldp-create' },
): ErrorData | undefined {
  const { nearest, entry, missing } = ancestryOf(reader, target);
  const [outermost] = missing;
  if (missing.length > MAX_NEW_ANCESTORS) {
    return rejection(
      'bad-path',
      target,
      `is more than ${MAX_NEW_ANCESTORS} levels below the nearest existing resource`,
    );
  }
  if (!entry || (outermost !== undefined && !ancestors)) {
    return rejection('resource-not-found', parentOf(target), 'does not exist');
  }
  if (entry === 'gone') return rejection('parent-gone', nearest, 'was deleted: nothing can be created in it');
  if (!isContainer(entry.kind)) return rejection('parent-not-container', nearest, 'is not a container');
  const reserved = [...missing, target].find(isReserved);
  if (reserved !== undefined) {
    return rejection('reserved-name', reserved, 'has a name that is reserved for descriptions');
  }
  return configuration ? configurationRejection(target, configuration) : undefined;
}

function configurationRejection(
  target: string,
  { relation, inverse, membershipResource }: MembershipConfiguration,
): ErrorData | undefined {
  if (!isManaged(relation, inverse ? membershipResource : '')) return undefined;
  const message = `<${target}> can't have <${relation}> as its membership predicate: only the server makes such triples.`;
  const property = inverse ? ldp.isMemberOfRelation : ldp.hasMemberRelation;
  return errorData('constraint-violation', message, { uri: target, properties: [property] });
}

function deletionRejection(
  reader: SnapshotReader,
  target: string,
  { kind }: LdpEntry,
): ErrorData | undefined {
  const isRoot = ldpEntry(reader, parentOf(target)) === undefined;
  if (isRoot || kind === 'description') {
    return rejection(
      'method-not-allowed',
      target,
      isRoot ? 'is the root' : 'is deleted with the resource that it describes',
    );
  }
  if (isContainer(kind) && !isEmpty(reader, target)) {
    return rejection('container-not-empty', target, 'is not empty');
  }
  return undefined;
}

/** Reads no more than the first child. */
function isEmpty(reader: SnapshotReader, container: string): boolean {
  const id = (uri: string) => reader.find(formatTerm(iri(uri)));
  return !reader.within([id(LDP_GRAPH)]).hasObject(id(container), id(ldp.contains));
}

function rejection(code: ErrorCode, uri: string, what: string): ErrorData {
  return errorData(code, `<${uri}> ${what}.`, { uri });
}
