/** Reasons why tests fail, and the names of the tests in their suites. */
const reasons: readonly (readonly [reason: string, suite: string, names: string])[] = [
  ['dot segments of a relative IRI that begins with `//` are kept', 'toRdf', 'te062'],
  ['the context of a type is left too late in an index', 'toRdf', 'tc013'],
  [
    'a triple term without `rdf:version="1.2"` is refused, not dropped in silence',
    'rdf12/rdf-xml/eval',
    'rdf12-xml-tt-01',
  ],
  ['the direction of a text is kept, as RDF 1.2 has it', 'toRdf', 'tdi02 tdi04 tdi05 tdi06'],
  ['impossible over HTTP: no request can set `rdfDirection`', 'toRdf', 'tdi09 tdi10 tdi11 tdi12'],
  ['impossible over HTTP: no request can set `rdfDirection`', 'fromRdf', 'tdi05 tdi06 tdi11 tdi12'],
  ['impossible over HTTP: no request can ask for generalised RDF', 'toRdf', 'te075'],
  ['impossible over HTTP: no request can set `expandContext`', 'toRdf', 'te077'],
  [
    'impossible over HTTP: no request can set `processingMode` to JSON-LD 1.0',
    'toRdf',
    'tc029 tep02 ter21 ter42 ttn01',
  ],
  ['a malformed `@base` is an error', 'toRdf', 'tli12'],
  ['impossible over HTTP: no request can set `useNativeTypes`', 'fromRdf', 't0018 t0027'],
  ['impossible over HTTP: no request can set `useRdfType`', 'fromRdf', 't0019'],
  [
    'no triple is left out: a list whose nodes have the type `rdf:List` is not written as `@list`',
    'fromRdf',
    't0016',
  ],
  ['the server stores RDF: malformed text of `rdf:JSON` is a literal', 'fromRdf', 'tjs08 tjs09'],
  [
    'text of `rdf:JSON` that is not canonical is a typed literal, so that it is read back unchanged',
    'fromRdf',
    't0028',
  ],
  [
    'language tags keep their case, which the canonical form does not',
    'rdf12/rdf-n-triples/c14n',
    'dirlangtagged_string',
  ],
  [
    'language tags keep their case, which the canonical form does not',
    'rdf12/rdf-n-quads/c14n',
    'dirlangtagged_string',
  ],
];

/** Tests that fail, by their names, and why. */
export const knownFailures: Readonly<Record<string, string>> = Object.fromEntries(
  reasons.flatMap(([reason, suite, names]) => names.split(' ').map((name) => [`${suite}/${name}`, reason])),
);
