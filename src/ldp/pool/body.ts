import { AppError } from '../../errors.ts';
import type { LdpBody, LdpPurpose } from '../../pool/messages.ts';
import type { QuadBlock } from '../../rdf/model/quad-block.ts';
import type { IriPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import { formatTerm, iri } from '../../rdf/model/term.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { LdpKind } from '../model/kinds.ts';
import { ldpKinds } from '../model/managed.ts';
import { typesOf } from '../model/rdf-types.ts';
import { dcterms, RDF_TYPE } from '../model/vocabulary.ts';
import { ldpEntry } from '../registry.ts';
import { configurationProperties, readConfiguration } from './body-configuration.ts';
import { containerKinds, modelStated } from './body-model.ts';
import { BodyTerms, blockOfRows } from './body-terms.ts';
import { ManagedCheck } from './managed-check.ts';
import { constraintViolation, typeConflict } from './managed-errors.ts';
import { managedPatterns, membershipPattern } from './managed-patterns.ts';
import { ShownTriples } from './shown-triples.ts';

/** An LDP resource as its client sees it. */
export interface ShownTarget {
  readonly target: string;
  /** Absent if the client sees everything. */
  readonly visible?: IriPatterns;
}

/**
 * Returns the user triples of a body for an LDP resource, and the properties of the resource that
 * the body determines (http-api 5.6 to 5.9). Managed triples in the body must agree with the
 * current ones; they are left out of the result.
 */
export function readBody(
  reader: SnapshotReader,
  { target, visible }: ShownTarget,
  purpose: LdpPurpose,
  block: QuadBlock,
): LdpBody {
  const shown = new ShownTriples(reader, visible);
  if (purpose.kind === 'replace') return readReplacement(reader, target, block, shown);
  const kinds = statedKinds(reader, target, block);
  const model = purpose.model ?? modelStated(kinds) ?? purpose.defaultModel;
  const configuration =
    model === 'direct' || model === 'indirect' ? readConfiguration(block, target, model) : null;
  const kind = { model, configuration, shown };
  return { model, configuration, block: newTriples(reader, target, block, kind) };
}

/** Returns the LDP types that a body states for a resource. */
function statedKinds(reader: SnapshotReader, target: string, block: QuadBlock): Set<string> {
  const numbers = new BodyTerms(reader, block).numbersOf([target, RDF_TYPE, ...ldpKinds]);
  const kindOf = new Map(Array.from(ldpKinds, (kind) => [numbers.get(kind)!, kind]));
  const subject = numbers.get(target);
  const type = numbers.get(RDF_TYPE);
  const found = new Set<string>();
  const { quads } = block;
  for (let at = 0; at < quads.length; at += 4) {
    if (quads[at + 1] !== type || quads[at] !== subject) continue;
    const kind = kindOf.get(quads[at + 2]!);
    if (kind !== undefined) found.add(kind);
  }
  return found;
}

/** Returns the triples that are stored for a new resource (http-api L-41). */
function newTriples(
  reader: SnapshotReader,
  target: string,
  block: QuadBlock,
  { model, configuration, shown }: Omit<LdpBody, 'block'> & { readonly shown: ShownTriples },
): QuadBlock {
  const patterns = managedPatterns(reader, target, model, shown);
  if (configuration) patterns.push(membershipPattern(configuration));
  const check = new ManagedCheck(reader, block, patterns, shown);
  const absorbed = [dcterms.created, dcterms.modified, ...(configuration ? configurationProperties : [])];
  const numbers = check.terms.numbersOf([target, ...absorbed]);
  const absorbedNumbers = new Set(absorbed.map((property) => numbers.get(property)!));
  const subject = numbers.get(target);
  const types = new Set(typesOf(model));
  const keepsKind = (kind: string) => model === 'rdf-source' && containerKinds.has(kind);
  return userTriples(block, check, (at) => {
    if (block.quads[at] === subject && absorbedNumbers.has(block.quads[at + 1]!)) return 'managed';
    const kind = check.kindStated(block.quads, at);
    if (kind === null) return null;
    if (types.has(kind)) return 'managed';
    if (keepsKind(kind)) return 'free';
    throw typeConflict(check.terms.text(block.quads[at]!), kind);
  });
}

/** Returns the triples that replace those of an existing resource (http-api L-55, L-62, L-67). */
function readReplacement(
  reader: SnapshotReader,
  target: string,
  block: QuadBlock,
  shown: ShownTriples,
): LdpBody {
  const kind = kindOf(reader, target);
  const check = new ManagedCheck(reader, block, managedPatterns(reader, target, kind, shown), shown);
  const graph = reader.find(formatTerm(iri(target)));
  const { quads } = block;
  const triples = userTriples(block, check, (at) => {
    const stated = check.kindStated(quads, at);
    if (stated === null || check.standing(quads, at) !== 'claimed') return null;
    // A container type accepted at creation belongs to the client (http-api L-53).
    if (check.holds(graph, quads[at]!, quads[at + 1]!, quads[at + 2]!)) return 'free';
    throw typeConflict(check.terms.text(quads[at]!), stated);
  });
  return { block: triples, model: kind === 'description' ? 'rdf-source' : kind, configuration: null };
}

/** Returns the kind of an existing RDF source. */
export function kindOf(reader: SnapshotReader, target: string): LdpKind {
  const entry = ldpEntry(reader, target);
  if (entry === undefined) throw new AppError('resource-not-found', `There is no resource <${target}>.`);
  if (entry === 'gone') throw new AppError('gone', `<${target}> was deleted.`);
  return entry.kind;
}

/**
 * Returns the client's own rows. `decide`: classifies the row at an offset; null leaves it to the
 * check.
 */
function userTriples(
  block: QuadBlock,
  check: ManagedCheck,
  decide: (at: number) => 'managed' | 'free' | null,
): QuadBlock {
  const { quads } = block;
  const own = new Uint32Array(quads.length / 4);
  const claimed = new Set<number>();
  let count = 0;
  for (let at = 0; at < quads.length; at += 4) {
    if (!check.concerns(quads, at)) {
      own[count++] = at;
      continue;
    }
    const standing = decide(at) ?? check.standing(quads, at);
    if (standing === 'free') own[count++] = at;
    else if (standing === 'claimed') claimed.add(quads[at + 1]!);
  }
  if (claimed.size > 0) throw managedBody(check, claimed);
  return blockOfRows(block, own.subarray(0, count));
}

function managedBody(check: ManagedCheck, predicates: ReadonlySet<number>): AppError {
  const properties = Array.from(predicates, (predicate) => check.terms.text(predicate).slice(1, -1));
  return constraintViolation('The body changes the values of server-managed properties', properties);
}
