import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { requiredNode } from '../../src/http/parameters.ts';
import { parseQuery, type Query } from '../../src/http/query.ts';
import { queriedTarget } from '../../src/http/routes/contexts/target.ts';
import { checkedNamespaces } from '../../src/http/routes/ldpath/known-prefixes.ts';
import { queriedResource } from '../../src/http/routes/resources/target.ts';
import { datasetOf } from '../../src/http/routes/sparql/dataset-parameters.ts';
import { readRdfPatch } from '../../src/ldp/pool/rdf-patch.ts';
import { parsePath, parseProgram } from '../../src/ldpath/syntax/parser.ts';
import { RdfError } from '../../src/rdf/formats/errors.ts';
import { evaluateUpdate } from '../../src/sparql/engine/update.ts';
import { readUpdate } from '../../src/sparql/language/update/read-update.ts';
import { evaluateQuery } from '../../src/sparql/thread/evaluate-query.ts';
import { MergedGraphs } from '../../src/sparql/thread/merged-graphs.ts';
import { Mirror } from '../../src/sparql/thread/mirror.ts';
import { BASE, parse, quads, write } from '../rdf/formats/documents.ts';
import { SimDisk } from '../simulation/sim-disk.ts';
import { mirrorSettings, readerOf } from '../sparql/engine/mirrors.ts';
import { defaultGraph, requestOf } from '../sparql/updates.ts';
import { iriGrammar, iris, nearIris } from '../support/iris.ts';
import { openOn } from '../support/stores.ts';

/*
 * G-17: one grammar decides which IRIs are stored and addressed, whichever way they come in.
 */

/** As a term of Turtle and its relatives: what their grammar forbids is escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are escaped
const written = (iri: string) => `<${iri.replace(/[\u0000-\u0020<>"{}|^`\\]/g, escaped)}>`;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`;
}

/** As the value of an attribute in XML. */
function attribute(iri: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are escaped
  return iri.replace(/[&<>"\u0000-\u0020\u007f-\ud7ff\ue000-\uffff]/g, (unit) => `&#${unit.charCodeAt(0)};`);
}

const triple = (iri: string) => `${written(iri)} <urn:p> ${written(iri)} .`;
const typed = (iri: string) => `<urn:s> <urn:p> "x"^^${written(iri)} .`;

/** Documents with an IRI, by media type. */
const documents: Readonly<Record<string, readonly ((iri: string) => string)[]>> = {
  'application/n-triples': [triple, typed],
  'application/n-quads': [triple, typed, (iri) => `<urn:s> <urn:p> "x" ${written(iri)} .`],
  'text/turtle': [triple, typed, (iri) => `@prefix p: ${written(iri)} . p: p: p: .`],
  'application/trig': [triple, typed, (iri) => `${written(iri)} { <urn:s> <urn:p> "x" }`],
  'text/n3': [triple, typed],
  'application/rdf+json': [
    (iri) => JSON.stringify({ [iri]: { [iri]: [{ type: 'uri', value: iri }] } }),
    (iri) => JSON.stringify({ 'urn:s': { 'urn:p': [{ type: 'literal', value: 'x', datatype: iri }] } }),
  ],
  'application/rdf+xml': [
    (iri) =>
      `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description r:about="${attribute(iri)}"><r:type r:resource="urn:t"/></r:Description></r:RDF>`,
  ],
};

function isRead(document: string, mediaType: string): boolean {
  try {
    parse(document, mediaType);
    return true;
  } catch (error) {
    assert.ok(error instanceof RdfError && error.code === 'parse-error', String(error));
    assert.equal(typeof error.details.line, 'number', error.message);
    assert.equal(typeof error.details.column, 'number', error.message);
    return false;
  }
}

function isDone(action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch (error) {
    assert.equal((error as { code?: unknown }).code, 'parse-error', String(error));
    return false;
  }
}

function queryOf(name: string, value: string): Query {
  const query = parseQuery(`${name}=${encodeURIComponent(value)}`);
  assert.ok(query.ok);
  return query.value;
}

const update = (text: string) => () => readUpdate({ text, baseIri: BASE, dataset: undefined } as never);

const store = await openOn(new SimDisk({ seed: 1 }));
const mirror = Mirror.fill(readerOf(store), mirrorSettings);
const settings = { ...mirrorSettings, resultBytes: 10_000, defaultGraphIs: 'union', defaultGraph } as const;
const parts = { mirror, merged: new MergedGraphs(mirror), settings, onResult: () => {} };
const ask = (pattern: string, prologue = '') => {
  const text = `${prologue} ASK { ${pattern} }`;
  return () => evaluateQuery({ text, baseIri: BASE, dataset: undefined, mediaType: 'text/csv' }, parts);
};

/** Carries out an update whose pattern the engine reads. */
const changeWhere = (pattern: string) => () => {
  const { result } = evaluateUpdate(mirror, requestOf(`DELETE { ?s ?p 1 } WHERE { ${pattern} }`, store));
  if (!result.ok) throw result.error;
};

/** The ways to name an IRI besides documents. */
const otherWays: Readonly<Record<string, (iri: string) => boolean>> = {
  'uri=': (iri) => queriedResource(queryOf('uri', iri)).ok,
  'the start of an evaluation': (iri) => requiredNode(queryOf('uri', iri), 'uri').ok,
  'graph=': (iri) => queriedTarget(queryOf('graph', iri), 'http://h/context', 'urn:default').ok,
  'ns_x=': (iri) => checkedNamespaces({ x: iri }, (prefix) => prefix).ok,
  'default-graph-uri=': (iri) =>
    datasetOf({ kind: 'query', text: '', parameters: queryOf('default-graph-uri', iri) } as never).ok,
  'a path': (iri) => isDone(() => parsePath(written(iri), {})),
  'a program': (iri) => isDone(() => parseProgram(`@prefix x: ${written(iri)} ; a = x: ;`, {})),
  'a constant of LDPath': (iri) => isDone(() => parsePath(`*[. is "a"^^${written(iri)}]`, {})),
  'INSERT DATA': (iri) => isDone(update(`INSERT DATA { ${triple(iri)} }`)),
  'long INSERT DATA': (iri) =>
    isDone(update(`INSERT DATA { ${triple(iri)} ${'<urn:s> <urn:p> 1 . '.repeat(2_000)} }`)),
  'a template': (iri) => isDone(update(`DELETE { ${typed(iri)} } WHERE { ?s ?p ?o }`)),
  'DROP GRAPH': (iri) => isDone(update(`DROP GRAPH ${written(iri)}`)),
  'the pattern of an update': (iri) => isDone(changeWhere(`?s ?p ${written(iri)}`)),
  'a query': (iri) => isDone(ask(`${written(iri)} ?p ?o`)),
  'a prefix of a query': (iri) => isDone(ask('x: ?p ?o', `PREFIX x: ${written(iri)}`)),
  'a datatype in a query': (iri) => isDone(ask(`?s ?p "x"^^${written(iri)}`)),
  'GRAPH of a query': (iri) => isDone(ask(`GRAPH ${written(iri)} { ?s ?p ?o }`)),
  'application/rdf-patch': (iri) => isDone(() => readRdfPatch(`A ${written(iri)} <urn:p> "x" .\n`, BASE)),
};

/** Others are relative references in some formats. */
const begun = nearIris.filter((text) => /^[A-Za-z][A-Za-z0-9+.-]*:/.test(text) && text.isWellFormed());

describe('G-17: an IRI is accepted exactly if RFC 3987 generates it', () => {
  for (const [mediaType, makers] of Object.entries(documents)) {
    it(`in ${mediaType}`, () => {
      fc.assert(
        fc.property(fc.oneof(begun, iris), fc.constantFrom(...makers), (iri, make) => {
          const document = make(iri);
          assert.equal(isRead(document, mediaType), iriGrammar.test(iri), document);
        }),
        { numRuns: 500 },
      );
    });
  }

  it('in JSON-LD, which drops triples with others', () => {
    fc.assert(
      fc.property(fc.oneof(begun, iris), (iri) => {
        const document = JSON.stringify({ '@id': iri, 'urn:p': 'x' });
        assert.equal(quads(document, 'application/ld+json').length, iriGrammar.test(iri) ? 1 : 0, document);
      }),
      { numRuns: 500 },
    );
  });

  for (const [name, accepts] of Object.entries(otherWays)) {
    it(`in ${name}`, () => {
      fc.assert(
        fc.property(fc.oneof(begun, iris), (iri) => {
          assert.equal(accepts(iri), iriGrammar.test(iri), iri);
        }),
        { numRuns: 200 },
      );
    });
  }
});

describe('G-17: what is stored is written and read back', () => {
  for (const mediaType of [...Object.keys(documents), 'application/ld+json']) {
    it(`in ${mediaType}`, () => {
      fc.assert(
        fc.property(iris, (iri) => {
          const type = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#value';
          const lines = [`<${iri}> <${type}> "x"^^<${iri}> .`, `<${iri}> <${type}> <${iri}> .`];
          const block = parse(lines.join('\n'), 'application/n-triples');
          assert.deepEqual(quads(write(block, mediaType), mediaType).sort(), lines.sort());
        }),
        { numRuns: 300 },
      );
    });
  }
});
