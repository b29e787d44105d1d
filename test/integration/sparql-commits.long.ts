import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedServer } from '../support/shared-server.ts';

const COMMITS = Number(process.env['COMMITS'] ?? 1_000_000);
/** The number of commits between two queries, which the change feed has to keep for the second. */
const STRIDE = 5_000;
const CONNECTIONS = 64;

describe('SPARQL', () => {
  const server = sharedServer(['--memory']);

  /**
   * On a busy machine a connection may be used at the moment at which the server closes it because
   * it is idle. Then the request is sent again: the same triple once more changes nothing.
   */
  const answered = async (send: () => Promise<Response>): Promise<Response> => {
    for (;;) {
      try {
        return await send();
      } catch (error) {
        const { exitCode, signalCode } = server.process;
        if (exitCode !== null || signalCode !== null) throw error;
      }
    }
  };

  it(`shows each query exactly the ${COMMITS} commits acknowledged before it`, async () => {
    const { url } = server;
    const commit = async (number: number) => {
      const response = await answered(() =>
        fetch(`${url}/context?graph=urn:x:g${number % 8}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/n-triples' },
          body: `<urn:x:s${number}> <urn:x:p> "0${number}"^^<http://www.w3.org/2001/XMLSchema#integer> .`,
        }),
      );
      await response.arrayBuffer();
      assert.ok(response.ok, `commit ${number} failed with ${response.status}`);
    };
    for (let done = 0; done < COMMITS; done += STRIDE) {
      await inParallel(done, Math.min(done + STRIDE, COMMITS), commit);
      const count = Math.min(done + STRIDE, COMMITS);
      const rows = await csvOf(url, 'SELECT (COUNT(*) AS ?c) { ?s <urn:x:p> ?o }');
      assert.deepEqual(rows, [String(count)]);
      const last = await csvOf(url, `SELECT ?o { <urn:x:s${count - 1}> <urn:x:p> ?o }`);
      assert.deepEqual(last, [`0${count - 1}`]);
    }
  });
});

/** Calls for all numbers, `CONNECTIONS` of them at a time. */
async function inParallel(from: number, to: number, call: (number: number) => Promise<void>): Promise<void> {
  let next = from;
  const worker = async () => {
    while (next < to) await call(next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
}

/** The rows without the header. */
async function csvOf(url: string, query: string): Promise<string[]> {
  const response = await fetch(`${url}/sparql?query=${encodeURIComponent(query)}`, {
    headers: { Accept: 'text/csv' },
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text.trimEnd().split('\r\n').slice(1);
}
