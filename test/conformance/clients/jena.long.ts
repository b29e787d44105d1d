/** Apache Jena against a real server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { javaPrograms } from './install.ts';
import { serverUrl } from './server-url.ts';

test('Jena: what it writes in any format it reads back the same in all formats', async (context) => {
  const jena = await javaPrograms('jena');
  if ('missing' in jena) return context.skip(jena.missing);
  assert.deepEqual((await jena.run('Documents.java', await serverUrl(context))).trim().split('\n'), [
    'triples: 27',
    'store lost: []',
    'store merged: 1',
    'store deleted: 404',
    'context lost: []',
    'context merged: 1',
    'context deleted: 404',
    'ldp created: 201',
    'ldp lost: []',
    'ldp contained: true',
    'dataset lost: []',
    'dataset without If-Match: 428',
  ]);
});

test('Jena: RDFConnectionRemote puts, loads, fetches, queries, updates and deletes', async (context) => {
  const jena = await javaPrograms('jena');
  if ('missing' in jena) return context.skip(jena.missing);
  const seen = await jena.run('SparqlConnection.java', await serverUrl(context));
  assert.deepEqual(seen.trim().split('\n'), [
    'put 1',
    'loaded 2',
    'selected [urn:x:s, urn:x:t]',
    'asked true',
    'constructed 2',
    'described 1',
    'updated 4',
    'default filled',
    'dataset true',
    'dataset loaded 6',
    'deleted false',
  ]);
});
