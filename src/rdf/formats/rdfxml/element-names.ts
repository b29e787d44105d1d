import { shorten } from '../../model/iri.ts';
import { nameCharacters, nameStarts } from '../../model/names/characters.ts';
import { RDF } from '../../model/term.ts';
import { RdfError } from '../errors.ts';

const nameCharacter = new RegExp(`^[.${nameCharacters}]$`, 'u');
const nameStart = new RegExp(`^[_${nameStarts}]$`, 'u');
const noncharacter = /[\ufffe\uffff]/;

/** Names of the RDF namespace that have another meaning than a predicate (RDF/XML, section 5.1). */
const reserved: ReadonlySet<string> = new Set([
  'RDF',
  'ID',
  'about',
  'parseType',
  'resource',
  'nodeID',
  'datatype',
  'Description',
  'li',
  'aboutEach',
  'aboutEachPrefix',
  'bagID',
]);

export interface XmlName {
  readonly namespace: string;
  readonly local: string;
}

/** A namespace that XML does not allow to be declared. */
const XMLNS = 'http://www.w3.org/2000/xmlns/';

/**
 * Splits a predicate into the parts of an element's name. Throws `not-acceptable` if that is
 * impossible.
 */
export function splitPredicate(iri: string): XmlName {
  const split = localNameStart(iri);
  const namespace = iri.slice(0, split);
  const local = iri.slice(split);
  const meansElse = (namespace === RDF && reserved.has(local)) || namespace === XMLNS;
  if (local === '' || meansElse || noncharacter.test(namespace)) {
    throw new RdfError('not-acceptable', `RDF/XML has no element name for the predicate <${shorten(iri)}>`);
  }
  return { namespace, local };
}

/**
 * Returns where the longest suffix begins that is an XML name without a colon; the length if there
 * is none.
 */
function localNameStart(iri: string): number {
  let split = iri.length;
  for (let at = iri.length; at > 0; ) {
    const size = iri.codePointAt(at - 2)! > 0xffff ? 2 : 1;
    const character = iri.slice(at - size, at);
    if (!nameCharacter.test(character)) break;
    at -= size;
    if (nameStart.test(character)) split = at;
  }
  return split;
}
