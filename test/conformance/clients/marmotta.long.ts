/** Marmotta's Java client against a real server; docs/migrate-from-marmotta.md has its calls. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { javaPrograms } from './install.ts';
import { serverUrl } from './server-url.ts';

/** What the calls return or throw in both modes of PUT at `/resource`. */
const always = {
  createResource: 'true',
  'createResource, existing': 'true',
  existsResource: 'true',
  'existsResource, missing': 'false',
  updateResourceMetadata: 'returned',
  'getResourceMetadata, missing': 'NotFoundException: resource urn:x:missing does not exist, cannot retrieve',
  updateResourceContent: 'returned',
  deleteResource: 'returned',
  'existsResource, deleted': 'false',
  evaluatePath: '[Ann]',
  'evaluatePath, malformed':
    'ContentFormatException: the server did not accept the uri (urn:x:known) or path (foaf:name /) arguments',
  'evaluatePath, missing':
    'NotFoundException: the resource with URI urn:x:missing does not exist on the server',
  evaluateProgram: 'name=[Ann]',
  select: '[{name=Ann}]',
  ask: 'true',
  update:
    'MarmottaClientException: error evaluating SPARQL UPDATE Query ' +
    'INSERT DATA { <urn:x:updated> <http://xmlns.com/foaf/0.1/name> "Uta" }: 405 Method Not Allowed',
  getSupportedTypes: 'MarmottaClientException: error retrieving list of import types: 404 Not Found',
  uploadDataset: 'returned',
  'uploadDataset, stream': 'returned',
  'uploadDataset, read back': 'false',
  listConfigurationKeys:
    'MarmottaClientException: error retrieving list of configuration keys: 404 Not Found',
  listConfigurations: 'MarmottaClientException: error retrieving list of configuration keys: 404 Not Found',
  getConfiguration: 'null',
  setConfiguration: 'NotFoundException: configuration with key kiwi.context does not exist',
  deleteConfiguration: 'NotFoundException: configuration with key kiwi.context does not exist',
  'ContextClient.delete': 'true',
  'ContextClient.delete, missing': 'false',
};

test('Marmotta: its Java client writes metadata and content with --put-mode direct', async (context) => {
  const { url, outcomes } = await callsOn(context, '--put-mode', 'direct');
  if (url === undefined) return;
  assert.deepEqual(outcomes, {
    ...always,
    getResourceMetadata: 'http://xmlns.com/foaf/0.1/name=[Tom]',
    getResourceContent: 'Hello',
  });
});

test('Marmotta: its Java client loses metadata and content in mode redirect, and reports nothing', async (context) => {
  const { url, outcomes } = await callsOn(context);
  if (url === undefined) return;
  assert.deepEqual(outcomes, {
    ...always,
    getResourceMetadata: 'null',
    getResourceContent: `ContentFormatException: server does not offer content type text/plain for resource ${url}/resource/made`,
  });
});

/** What each call returned or threw. There is no URL if the client is missing. */
async function callsOn(
  context: TestContext,
  ...args: string[]
): Promise<{ readonly url?: string; readonly outcomes?: Readonly<Record<string, string>> }> {
  const marmotta = await javaPrograms('marmotta');
  if ('missing' in marmotta) {
    context.skip(marmotta.missing);
    return {};
  }
  const url = await serverUrl(context, ...args);
  const graph = `${url}/context/known`;
  const stored = await fetch(graph, {
    method: 'PUT',
    headers: { 'Content-Type': 'text/turtle' },
    body: '<urn:x:known> <http://xmlns.com/foaf/0.1/name> "Ann"@en .',
  });
  assert.equal(stored.status, 201);
  const lines = (await marmotta.run('Calls.java', url, graph)).trim().split('\n');
  return { url, outcomes: Object.fromEntries(lines.map((line) => line.split('\t'))) };
}
