import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstGraphPart } from '../../../../src/sparql/language/update/graph-parts.ts';
import { syntaxOf } from '../../../../src/sparql/language/update/read-update.ts';

/** Returns the keyword, and the text at its position. */
function partOf(text: string): [string, string] | undefined {
  const syntax = syntaxOf(text);
  const part = firstGraphPart(syntax);
  return part && [part.keyword, syntax.source.slice(part.start).split(/\s/)[0]!];
}

test('the first part of an update that names a graph or another server is found', () => {
  const cases: [string, [string, string] | undefined][] = [
    ['INSERT DATA { <a> <p> "GRAPH" } ; DELETE WHERE { ?s ?p ?o }', undefined],
    ['DELETE { ?s ?p ?o } INSERT { ?s ?p 1 } WHERE { { ?s ?p ?o } OPTIONAL { ?s <q> ?x } }', undefined],
    ['INSERT DATA { <a> <p> 1 GRAPH <g> { } }', ['GRAPH', 'GRAPH']],
    ['DELETE WHERE { GRAPH ?g { } }', ['GRAPH', 'GRAPH']],
    ['INSERT { GRAPH ?g { ?s ?p 1 } } WHERE { ?s ?p ?g }', ['GRAPH', 'GRAPH']],
    ['INSERT { <a> <p> 1 } WHERE { FILTER EXISTS { GRAPH <g> { } } }', ['GRAPH', 'GRAPH']],
    ['INSERT { <a> <p> 1 } WHERE { { SELECT * { SERVICE SILENT <s> { } } } }', ['SERVICE', 'SERVICE']],
    ['WITH <g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }', ['WITH', 'WITH']],
    ['DELETE { ?s ?p ?o } USING NAMED <g> WHERE { GRAPH <g> { ?s ?p ?o } }', ['USING', 'USING']],
    ['INSERT DATA { } ; COPY <a> TO <b> ; LOAD <c>', ['COPY', 'COPY']],
    ['LOAD SILENT <c> INTO GRAPH <b>', ['LOAD', 'LOAD']],
    ['CREATE SILENT GRAPH <b>', ['CREATE', 'CREATE']],
  ];
  for (const [text, expected] of cases) assert.deepEqual(partOf(text), expected, text);
});

test('the first part that names a graph is found in the separate data of a long update', () => {
  const long = `# ${'x'.repeat(70_000)}\nINSERT DATA { <a> <p> 1 `;
  assert.equal(partOf(`${long} }`), undefined);
  assert.equal(partOf(`${long} GRAPH <g> { <a> <p> 2 } }`)?.[0], 'GRAPH');
  assert.equal(partOf(`${long} GRAPH <g> { } } ; CLEAR ALL`)?.[0], 'GRAPH');
});
