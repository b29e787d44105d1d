// @ts-check
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';

/**
 * Calls through a client whose types are generated from `/openapi.json`. The compiler checks the
 * names and types of paths, parameters, bodies and results; a line marked as an error must be one.
 *
 * @typedef {import('./schema.ts').paths} Paths
 */

/** @type {ReturnType<typeof createClient<Paths>>} */
const client = createClient({ baseUrl: process.argv[2] ?? '' });
const uri = 'http://example.org/anna';

const stored = await client.PUT('/context', {
  params: { query: { graph: 'http://example.org/people' } },
  headers: { 'Content-Type': 'text/turtle' },
  body: `<${uri}> <http://xmlns.com/foaf/0.1/name> "Anna" .`,
  bodySerializer: (body) => body,
});
assert.equal(stored.response.status, 201);

const names = await client.GET('/ldpath/path', { params: { query: { path: 'foaf:name', uri } } });
assert.deepEqual(
  names.data?.map(({ type, value }) => [type, value]),
  [['literal', 'Anna']],
);

const wrong = await client.GET('/ldpath/path', { params: { query: { path: 'foaf:name /', uri } } });
assert.ok(wrong.error && typeof wrong.error === 'object');
assert.equal(wrong.error.code, 'parse-error');
assert.equal(wrong.error.line, 1);

const tasks = await client.GET('/tasks', {});
/** @type {string[]} */
const running = Object.values(tasks.data ?? {}).flatMap((group) => group.map(({ name }) => name));
assert.ok(Array.isArray(running));

const missing = await client.GET('/tasks/{group}/{name}', {
  params: { path: { group: 'LDPath', name: 'none' } },
});
assert.equal(missing.response.status, 404);

// @ts-expect-error: the parameter `path` is required.
await client.GET('/ldpath/path', { params: { query: { uri } } });
// @ts-expect-error: there is no such path.
await client.GET('/ldpath/paths', {});
// @ts-expect-error: the method is not supported.
await client.PATCH('/context', {});
console.log('done');
