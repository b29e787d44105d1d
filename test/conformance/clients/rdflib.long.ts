/** Python's rdflib against a real server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rdflibPrograms } from './install.ts';
import { serverUrl } from './server-url.ts';

test('rdflib: what it writes in any format it reads back the same in all formats', async (context) => {
  const rdflib = await rdflibPrograms();
  if ('missing' in rdflib) return context.skip(rdflib.missing);
  const seen: unknown = JSON.parse(await rdflib.run('documents.py', await serverUrl(context)));
  assert.deepEqual(seen, {
    triples: 26,
    context: [],
    store: [],
    merged: 200,
    after_merge: 1,
    deleted: 200,
    missing: 404,
    malformed: 400,
    ldp: {
      created: 201,
      lost: [],
      contained: true,
      unconditional: 428,
      replaced: 200,
      stale: 412,
      replacement: 1,
      deleted: 204,
    },
    dataset: [],
  });
});

test('rdflib: SPARQLUpdateStore adds, reads, queries, updates and removes', async (context) => {
  const rdflib = await rdflibPrograms();
  if ('missing' in rdflib) return context.skip(rdflib.missing);
  const seen: unknown = JSON.parse(await rdflib.run('sparql.py', `${await serverUrl(context)}/sparql`));
  assert.deepEqual(seen, {
    added: 2,
    values: ['"""Zoë "Z"\n"""@nl', '"42"^^<http://www.w3.org/2001/XMLSchema#integer>'],
    contains: true,
    bound: ['urn:x:age', 'urn:x:name'],
    ask: true,
    constructed: 1,
    updated: ['"43"^^<http://www.w3.org/2001/XMLSchema#integer>'],
    removed: 1,
    listed: true,
    read_by_get: 1,
    dropped: 0,
  });
});
