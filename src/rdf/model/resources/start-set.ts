import { iriError, isIri } from '../iri.ts';

/**
 * The start resources of a program, described instead of listed. Blank nodes never belong to a set.
 * - `type`: the subjects of `rdf:type` with this class, in any graph
 * - `graph`: the subjects in this graph
 * - `subjects`: all subjects
 * - `path`: the nodes that a path selects from these resources
 */
export type StartSet = DeclaredStartSet | PathStartSet;

/** A set that a stored program may declare: its members follow from the data alone. */
export type DeclaredStartSet =
  | { readonly kind: 'type'; readonly iri: string }
  | { readonly kind: 'graph'; readonly iri: string }
  | { readonly kind: 'subjects' };

export interface PathStartSet {
  readonly kind: 'path';
  /** The text of the path. It has not been compiled. */
  readonly path: string;
  /** IRIs; at least one. */
  readonly from: readonly string[];
}

/** A set as JSON. */
export type StartSetJson =
  | { readonly type: string }
  | { readonly graph: string }
  | { readonly subjects: true }
  | { readonly path: string; readonly from: readonly string[] };

export type StartSetResult = { readonly ok: true; readonly value: StartSet } | StartSetFailure;

export interface StartSetFailure {
  readonly ok: false;
  readonly code: 'bad-arguments' | 'bad-iri';
  readonly message: string;
}

const FORMS = `{"type": IRI}, {"graph": IRI}, {"subjects": true} or {"path": PATH, "from": IRI or [IRI…]}`;

/** Reads a set from its JSON; messages name it `starts`. Does not compile a path. */
export function parseStartSet(json: unknown): StartSetResult {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return badForm();
  const { type, graph, subjects, path, from } = json as Readonly<Record<string, unknown>>;
  switch (Object.keys(json).toSorted().join()) {
    case 'type':
      return setOfIri('type', type);
    case 'graph':
      return setOfIri('graph', graph);
    case 'subjects':
      return subjects === true ? { ok: true, value: { kind: 'subjects' } } : badForm();
    case 'from,path':
      return setOfPath(path, from);
    default:
      return badForm();
  }
}

/** The reverse of `parseStartSet`. */
export function startSetJson(set: StartSet): StartSetJson {
  switch (set.kind) {
    case 'type':
      return { type: set.iri };
    case 'graph':
      return { graph: set.iri };
    case 'subjects':
      return { subjects: true };
    case 'path':
      return { path: set.path, from: set.from };
  }
}

function setOfIri(kind: 'type' | 'graph', iri: unknown): StartSetResult {
  if (typeof iri !== 'string') return badForm();
  return isIri(iri) ? { ok: true, value: { kind, iri } } : badIri(kind, iri);
}

function setOfPath(path: unknown, from: unknown): StartSetResult {
  const starts = typeof from === 'string' ? [from] : from;
  if (typeof path !== 'string' || !isTexts(starts) || starts.length === 0) return badForm();
  const bad = starts.find((iri) => !isIri(iri));
  return bad === undefined ? { ok: true, value: { kind: 'path', path, from: starts } } : badIri('from', bad);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function badForm(): StartSetFailure {
  return { ok: false, code: 'bad-arguments', message: `'starts' must be ${FORMS}.` };
}

function badIri(member: string, iri: string): StartSetFailure {
  return { ok: false, code: 'bad-iri', message: `starts.${member}: ${iriError(iri)}.` };
}
