import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runPathpool, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const GRAPH = '/context?graph=urn:x:g';
const RESOURCE = 'uri=urn:x:r';
const LONG = 'x'.repeat(16 * 2 ** 20);
const TRIPLES = `<urn:x:r> <urn:p> "1" .\n<urn:x:r> <urn:p> "${LONG}" .\n`;
const UPDATE = `INSERT DATA {\n<urn:x:r> <urn:p> "${LONG}" }`;
const GROWING = `INSERT { <> <urn:p> ?long } WHERE { BIND("${LONG.slice(0, 2 ** 20)}" AS ?a)
  BIND(CONCAT(?a, ?a, ?a, ?a, ?a, ?a, ?a, ?a, ?a, ?a, ?a, ?a, ?a, ?a, ?a, ?a) AS ?long) }`;

interface Problem {
  readonly code: string;
  readonly line?: number;
}

/** Every request that can store RDF, and the line that the error names, where it is known. */
const requests: readonly (readonly [
  method: string,
  target: string,
  type: string,
  body: string,
  line?: number,
])[] = [
  ['PUT', GRAPH, 'application/n-triples', TRIPLES, 2],
  ['POST', GRAPH, 'text/turtle', TRIPLES, 2],
  ['POST', '/context', 'application/n-quads', TRIPLES, 2],
  ['PUT', GRAPH, 'text/plain', TRIPLES, 2],
  ['PUT', `/meta/text/turtle?${RESOURCE}`, 'text/turtle', TRIPLES, 2],
  ['PUT', `/resource?${RESOURCE}`, 'text/turtle;rel=meta', TRIPLES, 2],
  ['POST', '/ldp', 'text/turtle', TRIPLES, 2],
  ['PUT', '/ldp/new', 'text/turtle', TRIPLES, 2],
  ['PUT', '/ldp/x', 'text/turtle', TRIPLES, 2],
  ['PATCH', '/ldp/x', 'application/rdf-patch', `A <> <urn:p> "1" .\nA <> <urn:p> "${LONG}" .\n`, 2],
  ['PATCH', '/ldp/x', 'application/sparql-update', UPDATE],
  ['PATCH', '/ldp/x', 'application/sparql-update', GROWING],
];

describe('a triple that is too long', () => {
  it('G-132: is rejected by every endpoint, and neither stops the store nor its restart', async (context) => {
    const data = await temporaryDirectory(context);
    const flags = [
      '--data',
      data,
      '--threads',
      '1',
      '--max-patch',
      '64MiB',
      '--put-mode',
      'direct',
      '--ldp-if-match',
      'optional',
    ];
    const first = await startServer(context, flags);
    const send = (method: string, target: string, type: string, body: string) =>
      fetch(first.url + target, { method, headers: { 'Content-Type': type }, body: Buffer.from(body) });
    assert.equal((await send('PUT', '/ldp/x', 'text/turtle', '<> <urn:p> "0" .')).status, 201);
    assert.equal(
      (await send('PUT', '/context?graph=urn:x:r', 'text/turtle', '<urn:x:r> <urn:p> "0" .')).status,
      201,
    );
    for (const [method, target, type, body, line] of requests) {
      const response = await send(method, target, type, body);
      const problem = (await response.json()) as Problem;
      const received = [response.status, problem.code, problem.line];
      assert.deepEqual(
        received,
        [413, 'too-large', line],
        `${method} ${target} ${type}: ${JSON.stringify(problem)}`,
      );
      assert.ok(
        [200, 201, 204].includes(
          (await send('PUT', '/context?graph=urn:x:small', 'text/turtle', `<urn:s> <urn:p> "${target}" .`))
            .status,
        ),
      );
    }
    await first.end('SIGKILL');
    const second = await startServer(context, flags);
    const headers = { 'Content-Type': 'text/turtle' };
    const response = await fetch(`${second.url}${GRAPH}`, {
      method: 'PUT',
      headers,
      body: '<urn:s> <urn:p> "1" .',
    });
    assert.equal(response.status, 201);
    await second.end('SIGTERM');
    assert.equal((await runPathpool(['check', data])).status, 0);
  });

  it('is rejected by --load, with file and line, and nothing is stored', async (context) => {
    const data = await temporaryDirectory(context);
    const file = join(await temporaryDirectory(context), 'long.nt');
    await writeFile(file, TRIPLES);
    const { status, err } = await runPathpool(['--port', '0', '--data', data, '--load', file]);
    assert.equal(status, 2);
    assert.match(err, /^pathpool: \S+long\.nt: line 2, column 1: A triple of \d+ bytes is too long/);
    assert.deepEqual(await runPathpool(['export', data]), { status: 0, out: '', err: '' });
  });
});
