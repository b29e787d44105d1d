import { type Failure, failure, noSuchResource, type Result, wrongState } from '../../../errors.ts';
import { isIri } from '../../../rdf/model/iri.ts';
import type { ResourceName } from '../../../services/resources/existence.ts';
import { badIri } from '../../iri-parameter.ts';
import type { Query } from '../../query.ts';

/**
 * Maximum characters of a URI. Longer ones would not fit into the addresses that are built from
 * them.
 */
const MAX_URI = 8192;

/**
 * Returns the resource of `uri=U`, or of `genid=B` if `uri` is missing (http-api 3.2); undefined if
 * both are missing. Errors: `bad-iri`.
 */
export function queriedResource(query: Query): Result<ResourceName | undefined> {
  const uri = query.get('uri');
  if (uri !== undefined) return resourceOf('uri', uri);
  const genid = query.get('genid');
  if (genid === undefined) return { ok: true, value: undefined };
  const label = genid.startsWith('_:') ? genid.slice(2) : genid;
  if (isLabel(label)) return { ok: true, value: { kind: 'blank', label } };
  return failure('bad-iri', `genid: '${genid}' is not a valid blank node identifier.`);
}

/** Returns the resource with the name `{base}/resource/{rest}`. Errors: `bad-path`, `bad-iri`. */
export function localResource(rest: string, base: string): Result<ResourceName> {
  if (isHostilePath(rest)) {
    return failure('bad-path', 'The path contains dot segments or control characters.');
  }
  return resourceOf('The path', `${base}/resource/${rest}`);
}

export function missingResource(): Failure {
  return failure('missing-parameter', "The parameter 'uri' is missing.");
}

export function nameOf(resource: ResourceName): string {
  return resource.kind === 'uri' ? resource.uri : `_:${resource.label}`;
}

export function preconditionFailed(resource: ResourceName): Failure {
  return wrongState('The resource', { uri: nameOf(resource) });
}

export function resourceNotFound(resource: ResourceName): Failure {
  return noSuchResource(nameOf(resource));
}

/**
 * Whether a path as sent has dot segments, escaped or not, which an intermediary could normalise to
 * another path, or characters that could end a header line.
 */
export function isHostilePath(path: string): boolean {
  // Escapes need not be UTF-8, and the characters to find are ASCII.
  const decoded = path.replaceAll(/%([0-9A-Fa-f]{2})/g, (_escape, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return hasControl(decoded) || decoded.split(/[/\\]/).some((segment) => segment === '.' || segment === '..');
}

function resourceOf(parameter: string, uri: string): Result<ResourceName> {
  if (uri.length > MAX_URI) {
    return failure('bad-iri', `${parameter}: a URI must not exceed ${MAX_URI} characters.`);
  }
  if (isIri(uri)) return { ok: true, value: { kind: 'uri', uri } };
  return badIri(parameter, uri);
}

function isLabel(label: string): boolean {
  return label.length <= MAX_URI && /^[^\s<>"{}|\\^`]+$/.test(label) && !hasControl(label);
}

function hasControl(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  return /[\u0000-\u001f\u007f]/.test(text);
}
