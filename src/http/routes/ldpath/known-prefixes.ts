import { failure, type Result } from '../../../errors.ts';
import { isIri } from '../../../rdf/model/iri.ts';
import { badIri } from '../../iri-parameter.ts';
import type { Query } from '../../query.ts';

/**
 * Returns the prefixes that a request declares. Each namespace must be an absolute IRI, error
 * `bad-iri` (P-3).
 */
export function declaredNamespaces(query: Query): Result<Record<string, string>> {
  return checkedNamespaces(query.namespaces() ?? {}, (prefix) => `ns_${prefix}`);
}

/** `nameOf`: returns the name of the parameter or member that declares a prefix. */
export function checkedNamespaces(
  namespaces: Record<string, string>,
  nameOf: (prefix: string) => string,
): Result<Record<string, string>> {
  for (const [prefix, namespace] of Object.entries(namespaces)) {
    if (!isIri(namespace)) return badIri(nameOf(prefix), namespace);
  }
  return { ok: true, value: namespaces };
}

/**
 * Returns the prefixes in the member `namespaces` of a JSON body, which may be missing. Errors
 * `bad-arguments`, `bad-iri`.
 */
export function namespacesMember(value: unknown = {}): Result<Record<string, string>> {
  if (!isTextMap(value)) return failure('bad-arguments', "'namespaces' must be an object of strings.");
  return checkedNamespaces(value, (prefix) => `namespaces.${prefix}`);
}

function isTextMap(value: unknown): value is Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((one) => typeof one === 'string');
}
