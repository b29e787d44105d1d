const LIST = 'lists are written as their nodes, with `rdf:first` and `rdf:rest`, not as `@list`';
const JSON_LITERAL = '`rdf:JSON` is written as a typed literal, not as `@json`';

/** Reasons why tests fail, and the names of the tests in their suites. */
const reasons: readonly (readonly [reason: string, suite: string, names: string])[] = [
  [
    'a reference without a path, as `#a`, is resolved against a base without its dot segments',
    'toRdf',
    't0122 t0123',
  ],
  ['dot segments of a relative IRI that begins with `//` are kept', 'toRdf', 'te062'],
  ['the context of a type is left too late in an index', 'toRdf', 'tc013'],
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
    LIST,
    'fromRdf',
    't0004 t0005 t0006 t0009 t0011 t0013 t0014 t0016 t0020 t0021 t0022 t0026 tli01 tli02 tli03',
  ],
  [JSON_LITERAL, 'fromRdf', 't0028 tjs01 tjs02 tjs03 tjs04 tjs05 tjs06 tjs07 tjs10 tjs11'],
  ['the server stores RDF: malformed text of `rdf:JSON` is a literal', 'fromRdf', 'tjs08 tjs09'],
];

/** Tests that fail, by their names, and why. */
export const knownFailures: Readonly<Record<string, string>> = Object.fromEntries(
  reasons.flatMap(([reason, suite, names]) => names.split(' ').map((name) => [`${suite}/${name}`, reason])),
);
