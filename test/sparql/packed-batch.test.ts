import assert from 'node:assert/strict';
import { test } from 'node:test';
import { iriPatterns } from '../../src/rdf/model/resources/iri-patterns.ts';
import { queryFacts } from '../../src/sparql/language/query-facts.ts';
import type { SparqlJob } from '../../src/sparql/messages.ts';
import { packJobs, unpackJobs } from '../../src/sparql/packed-batch.ts';
import type { SparqlQuery } from '../../src/sparql/request.ts';

const query = (text: string, given: Partial<SparqlQuery> = {}): SparqlJob => ({
  kind: 'query',
  query: { text, baseIri: 'http://base/', dataset: undefined, mediaType: 'text/csv', ...given },
});
const factsOf = (text: string) => {
  const facts = queryFacts(text);
  assert.ok(facts.ok);
  return facts.value;
};
const update: SparqlJob = {
  kind: 'update',
  update: {
    text: 'CLEAR ALL',
    baseIri: 'http://base/',
    dataset: undefined,
    settings: { defaultGraphIs: 'union', defaultGraph: 'urn:g', ldpSpace: 'http://base/ldp', maxChanges: 1 },
    emptyGraphs: [],
  },
};

test('unpacking returns the jobs that were packed; similar queries add only their texts', () => {
  const dataset = { defaultGraphs: ['urn:g'], namedGraphs: [] };
  const jobs = [
    query('a'),
    query('b'),
    query('c', { mediaType: 'text/tab-separated-values' }),
    query('d'),
    query(''),
    query('e', { dataset }),
    query('f', { dataset }),
    query('g', { baseIri: 'http://other/' }),
    query('g', { baseIri: 'http://other/', visible: iriPatterns(['urn:a']) }),
    update,
    query('h', { baseIri: 'http://other/' }),
    query('i', { baseIri: 'http://other/' }),
    ...[
      'SELECT ?s { ?s ?p ?o }',
      'SELECT ?o { ?s ?p ?o }',
      'ASK {}',
      'ASK { ?s ?p NOW }',
      'ASK { ?s ?p ?o }',
    ].map((text) => query(text, { facts: factsOf(text) })),
    ...['SELECT * { ?s ?p ?o }', 'SELECT * { ?o ?p ?s }', 'SELECT (1 AS ?n) {}', 'SELECT (2 AS ?m) {}'].map(
      (text) => query(text, { facts: factsOf(text) }),
    ),
  ];
  const packed = packJobs(jobs);
  assert.deepEqual(
    packed.filter((each) => typeof each === 'string'),
    ['b', '', 'f', 'i', 'SELECT ?o { ?s ?p ?o }'],
  );
  assert.deepEqual(unpackJobs(structuredClone(packed)), jobs);
});
