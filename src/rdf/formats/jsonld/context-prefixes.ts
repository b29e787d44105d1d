import {
  CLOSE_OBJECT,
  COMMA,
  endOfString,
  endOfValue,
  OPEN_OBJECT,
  QUOTE,
  skipSpace,
} from '../../../base/json/bytes.ts';
import { DeclaredPrefixes } from '../../model/names/declared-prefixes.ts';
import { jsonAt } from './find-contexts.ts';
import { isObject, listOf, prefixOf, termsOf } from './term-definitions.ts';

/** The characters with which a namespace ends, so that a simple term for it is a prefix. */
const ending = /[:/?#[\]@]$/;

/**
 * Returns the prefixes that the context of a document's first object declares, except those of
 * contexts that it names by their IRIs. The document must have been read without an error.
 */
export function contextPrefixes(bytes: Uint8Array): DeclaredPrefixes {
  const prefixes = new DeclaredPrefixes();
  const terms = listOf(firstContext(bytes)).flatMap(termsOf);
  const names = new Set(terms.map(([name]) => name));
  for (const [name, value] of terms) {
    const namespace = namespaceOf(value);
    // One that begins with a term is a compact IRI.
    if (namespace === undefined || names.has(prefixOf(namespace))) continue;
    prefixes.declare(name, namespace);
  }
  return prefixes;
}

/** Returns the namespace of a prefix; undefined for other definitions. */
function namespaceOf(definition: unknown): string | undefined {
  if (typeof definition === 'string') return ending.test(definition) ? definition : undefined;
  if (!isObject(definition) || definition['@prefix'] !== true) return undefined;
  return typeof definition['@id'] === 'string' ? definition['@id'] : undefined;
}

function firstContext(bytes: Uint8Array): unknown {
  let at = bytes.indexOf(OPEN_OBJECT);
  if (at < 0) return undefined;
  at = skipSpace(bytes, at + 1);
  while (bytes[at] === QUOTE) {
    const end = endOfString(bytes, at);
    const value = skipSpace(bytes, skipSpace(bytes, end) + 1);
    const after = endOfValue(bytes, value);
    if (jsonAt(bytes, { start: at, end }) === '@context') return jsonAt(bytes, { start: value, end: after });
    at = bytes[after] === COMMA ? skipSpace(bytes, after + 1) : after;
    if (bytes[at] === CLOSE_OBJECT) break;
  }
  return undefined;
}
