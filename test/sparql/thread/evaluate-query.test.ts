import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toErrorData } from '../../../src/errors.ts';
import type { SparqlQuery } from '../../../src/sparql/request.ts';
import { evaluateQuery } from '../../../src/sparql/thread/evaluate-query.ts';
import { MergedGraphs } from '../../../src/sparql/thread/merged-graphs.ts';
import { Mirror } from '../../../src/sparql/thread/mirror.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { commit, merge, openOn } from '../../support/stores.ts';
import { mirrorSettings, quadsOf, readerOf, UNNAMED } from '../engine/mirrors.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const DEFAULT = 'http://base/context/default';

type Graphs = Readonly<Record<string, string>>;
type Ask = (text: string, given?: Partial<SparqlQuery>) => string;

/** Queries an instance with the given graphs. Returns the sorted rows, or the code of an error. */
async function asking(
  graphs: Graphs,
  defaultGraphIs: 'union' | 'default' = 'union',
): Promise<Ask & { mirror: Mirror }> {
  const store = await openOn(new SimDisk({ seed: 1 }));
  for (const [graph, triples] of Object.entries(graphs)) await commit(store, merge(graph, triples));
  const mirror = Mirror.fill(readerOf(store), mirrorSettings);
  await store.close();
  const settings = { ...mirrorSettings, resultBytes: 10_000, defaultGraphIs, defaultGraph: DEFAULT };
  const parts = { mirror, merged: new MergedGraphs(mirror), settings, onResult: () => {} };
  const ask: Ask = (text, given = {}) => {
    const query = { text, baseIri: 'http://base/', dataset: undefined, mediaType: 'text/csv', ...given };
    try {
      const body = Buffer.from(evaluateQuery(query, parts)).toString();
      return query.mediaType === 'text/csv' ? body.split('\r\n').slice(1, -1).sort().join(' ') : body;
    } catch (error) {
      const { code, details } = toErrorData(error);
      return details.line === undefined ? code : `${code} ${details.line}:${details.column}`;
    }
  };
  return Object.assign(ask, { mirror });
}

const one = '<urn:a> <urn:p> <urn:1> .';
const two = '<urn:a> <urn:p> <urn:2> .';
const COUNT = 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }';

test('a triple of several graphs counts once in a merge, and once in each graph by itself', async () => {
  const ask = await asking({ 'urn:g1': one, 'urn:g2': `${one}\n${two}`, 'urn:g3': two, 'urn:g4': '' });
  assert.equal(ask(COUNT), '2');
  assert.equal(ask('SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }'), '4');
  assert.equal(ask('SELECT ?g { GRAPH ?g { ?s ?p <urn:1> } }'), 'urn:g1 urn:g2');
  const both = { defaultGraphs: ['urn:g1', 'urn:g2'], namedGraphs: [] };
  assert.equal(ask(COUNT, { dataset: both }), '2');
  assert.equal(ask(COUNT, { dataset: { ...both, defaultGraphs: ['urn:g1', 'urn:g3'] } }), '2');
  assert.equal(ask(COUNT, { dataset: { ...both, defaultGraphs: ['urn:g1'] } }), '1');
  const named = { ...both, namedGraphs: ['urn:g3'] };
  const all = 'SELECT ?g ?o { { GRAPH ?g { ?s ?p ?o } } UNION { ?s ?p ?o } }';
  assert.equal(ask(all, { dataset: named }), ',urn:1 ,urn:2 urn:g3,urn:2');
});

test('running out of memory during a merge is reported, and the instance is not used again', async (t) => {
  const ask = await asking({ 'urn:g1': one, 'urn:g2': one });
  t.mock.method(ask.mirror.oxigraph.Store.prototype, 'load', () => {
    throw Object.assign(new Error('unreachable'), { name: 'RuntimeError' });
  });
  const free = t.mock.method(ask.mirror.oxigraph.Store.prototype as unknown as { free(): void }, 'free');
  const dataset = { defaultGraphs: ['urn:g1', 'urn:g2'], namedGraphs: [] };
  assert.equal(ask(COUNT, { dataset }), 'budget-exceeded');
  assert.equal(free.mock.callCount(), 1);
});

test('two spellings of a value are one triple in a merge', async () => {
  const written = (value: string) => `<urn:a> <urn:p> "${value}"^^<${XSD}integer> .`;
  const ask = await asking({ 'urn:g1': written('01'), 'urn:g2': written('1'), 'urn:g3': written('001') });
  assert.equal(ask(COUNT), '1');
  assert.equal(ask('SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }'), '3');
  const named = (...defaultGraphs: string[]) => ask(COUNT, { dataset: { defaultGraphs, namedGraphs: [] } });
  assert.deepEqual([named('urn:g1', 'urn:g2'), named('urn:g1', 'urn:g3')], ['1', '1']);
  assert.equal((await asking({ 'urn:g1': `${written('01')}\n${written('1')}` })).mirror.isMerged, false);
});

test('two spellings of a value are one triple in a merge of FROM graphs', async () => {
  const ask = await asking({ 'http://base/g1': one, 'urn:g2': `${one}\n${two}`, 'urn:g3': two });
  assert.equal(ask('SELECT (COUNT(*) AS ?n) FROM <g1> FROM <urn:g2> { ?s ?p ?o }'), '2');
  const prefixed = 'PREFIX u: <urn:> SELECT (COUNT(*) AS ?n) FROM u:g2 FROM u:g3 FROM NAMED u:g3';
  assert.equal(ask(`${prefixed} { ?s ?p ?o }`), '2');
  assert.equal(ask(`${prefixed} { GRAPH ?g { ?s ?p ?o } }`), '1');
  assert.equal(ask('SELECT ?g FROM NAMED <urn:g3> { GRAPH ?g { ?s ?p ?o } }'), 'urn:g3');
  assert.equal(ask('SELECT (COUNT(*) AS ?n) FROM NAMED <urn:g3> { ?s ?p ?o }'), '0');
});

test("the server's own graph is part of the union of all graphs, but cannot be named", async () => {
  for (const more of ['', two]) {
    const ask = await asking({ [UNNAMED]: `${one}\n${more}`, 'urn:g': two });
    assert.equal(ask.mirror.isMerged, more !== '');
    assert.equal(ask(COUNT), '2');
    assert.equal(ask('SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }'), 'urn:g');
    assert.equal(ask(`SELECT * { GRAPH <${UNNAMED}> { ?s ?p ?o } }`), '');
    assert.equal(ask(COUNT, { dataset: { defaultGraphs: [UNNAMED], namedGraphs: [] } }), '0');
    const dataset = { defaultGraphs: [UNNAMED, 'urn:g'], namedGraphs: [UNNAMED] };
    assert.equal(ask(COUNT, { dataset }), '1');
    assert.equal(ask('SELECT ?g { GRAPH ?g { ?s ?p ?o } }', { dataset }), '');
  }
});

test('the default graph follows the setting, and has two names', async () => {
  const graphs = { [DEFAULT]: one, 'urn:g': two };
  const [union, single] = [await asking(graphs), await asking(graphs, 'default')];
  const objects = 'SELECT ?o { ?s ?p ?o }';
  assert.deepEqual([union(objects), single(objects)], ['urn:1 urn:2', 'urn:1']);
  for (const ask of [union, single]) {
    const named = (graph: string) => ask(objects, { dataset: { defaultGraphs: [graph], namedGraphs: [] } });
    assert.equal(named('urn:x-arq:UnionGraph'), 'urn:1 urn:2');
    assert.equal(named('urn:x-arq:DefaultGraph'), 'urn:1');
    assert.equal(ask(`${objects.replace('{', 'FROM <urn:g> {')}`), 'urn:2');
  }
});

test('blank nodes have the same labels as in other responses', async () => {
  const store = await openOn(new SimDisk({ seed: 1 }));
  await commit(store, merge('urn:g', '_:x <urn:p> _:y . _:y <urn:p> "z" .'.replace(' . ', ' .\n')));
  const labels = quadsOf(readerOf(store)).flatMap(([subject]) => subject!);
  await store.close();
  const ask = await asking({ 'urn:g': '_:x <urn:p> _:y .\n_:y <urn:p> "z" .' });
  assert.equal(ask('SELECT ?s { ?s <urn:p> ?o }'), labels.sort().join(' '));
  const triples = ask('CONSTRUCT { ?s <urn:p> ?o } { ?s <urn:p> ?o }', {
    mediaType: 'application/n-triples',
  });
  for (const label of labels) assert.ok(triples.includes(label), triples);
});

test('literals keep their stored spelling', async () => {
  const literal = (value: string, type: string) => `"${value}"^^<${XSD}${type}>`;
  const ask = await asking({
    'urn:g': [
      literal('01', 'integer'),
      literal('1.50', 'decimal'),
      literal('7', 'int'),
      literal('2', 'integer'),
    ]
      .map((object, i) => `<urn:s${i}> <urn:p> ${object} .\n`)
      .join(''),
  });
  assert.equal(ask('SELECT ?o { ?s <urn:p> ?o }'), '01 1.50 2 7');
  const found = ask('CONSTRUCT WHERE { ?s <urn:p> 1 }', { mediaType: 'application/n-triples' });
  assert.equal(found, `<urn:s0> <urn:p> ${literal('01', 'integer')} .\n`);
  const typed = ask('SELECT ?o { ?s <urn:p> ?o FILTER(?o = 7) }', { mediaType: 'text/tab-separated-values' });
  assert.match(typed, /#int>/);
});

test('CONSTRUCT results are written in all formats, each triple once', async () => {
  const ask = await asking({ 'urn:g': `${one}\n${two}` });
  const construct = 'CONSTRUCT { ?s <http://example.org/q> "x" . ?s <http://example.org/p> ?o } { ?s ?p ?o }';
  for (const mediaType of [
    ...['text/turtle', 'application/n-triples', 'application/n-quads', 'application/trig'],
    ...['application/ld+json', 'application/rdf+xml', 'application/rdf+json', 'text/n3'],
  ]) {
    const text = ask(construct, { mediaType });
    assert.equal(text.match(/[>"]x[<"]/g)?.length, 1, text);
    assert.ok(text.includes('urn:1') && text.includes('urn:2'), text);
  }
  assert.match(ask('DESCRIBE <urn:a>', { mediaType: 'text/turtle' }), /urn:2/);
  assert.equal(ask('ASK { <urn:a> ?p ?o }', { mediaType: 'text/tab-separated-values' }).trim(), 'true');
});

test('errors of a query have a position, and unsupported features are rejected', async () => {
  const ask = await asking({ 'urn:g': one });
  assert.equal(ask('SELECT *\n{ ?s ?p }'), 'parse-error 2:10');
  assert.equal(ask('SELECT * { ?s ex:p ?o }').slice(0, 14), 'parse-error 1:');
  assert.equal(ask('nonsense'), 'parse-error 1:1');
  assert.equal(ask('SELECT * { SERVICE <http://x/> { ?s ?p ?o } }'), 'unsupported-sparql');
  assert.equal(ask('SELECT * { SERVICE SILENT <http://x/> { ?s ?p ?o } }'), ',,');
  const long = 'SELECT (CONCAT(STR(?s), REPLACE("0123456789", "", "x")) AS ?x) { VALUES ?s { "a" } }';
  assert.notEqual(ask(long), 'too-large');
  const rows = `VALUES ?v { ${'"0123456789" '.repeat(2000)} }`;
  assert.equal(ask(`SELECT ?v { ${rows} }`), 'too-large');
  assert.equal(
    ask(`CONSTRUCT { ?s <urn:p> ?x } { ?s ?p ?o ${rows} BIND(CONCAT(?v, STR(RAND())) AS ?x) }`, {
      mediaType: 'application/n-triples',
    }),
    'too-large',
  );
});

test('errors have the line and column of the original text, even if it is corrected', async () => {
  const ask = await asking({ 'urn:g1': one });
  assert.equal(ask('SELECT (GROUP_CONCAT(?o) AS ?g)\n{ ?s ?p'), ask('SELECT (COUNT(?o) AS ?g)\n{ ?s ?p'));
  assert.equal(ask('SELECT (GROUP_CONCAT(?o) AS ?g)\n{ ?s ?p'), 'parse-error 2:8');
  assert.match(ask('PREFIX : <urn:> SELECT ?x { :none :p* ?x . none:s :p ?x'), /^parse-error 1:/);
});

test('an unknown function is rejected and is not an internal error', async () => {
  const ask = await asking({ 'urn:g1': one });
  assert.equal(ask('SELECT ?s { ?s ?p ?o FILTER(<urn:f>(?o)) }'), 'unsupported-sparql');
});

test('queries have the current time and GeoSPARQL functions, in every spelling of their names', async () => {
  const ask = await asking({});
  assert.equal(ask('SELECT (YEAR(now()) AS ?n) {}'), String(new Date().getUTCFullYear()));
  const geo = 'http://www.opengis.net/def/function/geosparql';
  const point = '"POINT(1 2)"^^<http://www.opengis.net/ont/geosparql#wktLiteral>';
  assert.equal(ask(`SELECT (<${geo}/dimension>(${point}) AS ?n) {}`), '0');
  const names = [`PREFIX g: <${geo}/> SELECT (g:dimension`, `BASE <${geo}/x> SELECT (<dimension>`];
  const escaped = ['\\u0067', '\\U00000067'].map(
    (g) => `SELECT (<${geo.replace('geos', `${g}eos`)}/dimension>`,
  );
  const local = 'PREFIX g: <http://www.opengis.net/def/function/geo> SELECT (g:sparql\\/dimension';
  for (const name of [...names, ...escaped, local]) {
    assert.equal(ask(`${name}(${point.replace('geosparql#', 'geo\\u0073parql#')}) AS ?n) {}`), '0', name);
  }
  assert.equal(ask('SELECT (<urn:f>(1) AS ?n) {}'), 'unsupported-sparql');
});
