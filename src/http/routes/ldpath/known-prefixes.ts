import type { Result } from '../../../errors.ts';
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
