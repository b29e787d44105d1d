import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { graphUrl, send } from '../../support/cluster-requests.ts';
import { withoutNats } from '../../support/nats-servers.ts';
import { sharedCluster } from '../../support/shared-cluster.ts';
import { assertEqualData, underTraffic } from './under-traffic.ts';

const timeout = 300_000;
const ROUNDS = 8;
/** More unused terms than are kept. */
const VALUES = 70_000;
const GRAPH = 'urn:x:replaced';
const SMALL_JOURNAL = ['--journal-max', '64KiB'];

interface Process {
  readonly url: string;
}

async function replaceValues(process: Process, round: number): Promise<void> {
  const body = Array.from({ length: VALUES }, (_, i) => `<urn:x:s> <urn:x:p> "${round} ${i}" .\n`).join('');
  const headers = { 'Content-Type': 'application/n-triples' };
  const { status, text } = await send(graphUrl(process, GRAPH), { method: 'PUT', headers, body });
  assert.ok(status === 200 || status === 201 || status === 204, `${status} ${text}`);
}

async function termsOf({ url }: Process): Promise<number> {
  const { text } = await send(`${url}/metrics`);
  return Number(/^pathpool_snapshot_terms (\d+)$/m.exec(text)![1]);
}

/** Tries again while the data are being loaded. */
async function countBySparql({ url }: Process): Promise<string> {
  const query = `SELECT (COUNT(*) AS ?n) { GRAPH <${GRAPH}> { ?s ?p ?o } }`;
  const headers = { Accept: 'text/csv' };
  for (;;) {
    const { status, text } = await send(`${url}/query?query=${encodeURIComponent(query)}`, { headers });
    if (status !== 503) return text.split(/\r?\n/)[1] || text;
  }
}

describe('a cluster whose values are replaced all the time', { skip: withoutNats }, () => {
  const cluster = sharedCluster({ logServers: 1, processes: 2 }, SMALL_JOURNAL);

  it('has few terms, and the same data everywhere', { timeout }, async () => {
    await underTraffic(cluster(), async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { processes } = cluster();
        await replaceValues(processes[round % processes.length]!, round);
      }
      await cluster().join(SMALL_JOURNAL);
    });
    await assertEqualData(cluster());
    for (const process of cluster().processes) {
      const terms = await termsOf(process);
      assert.ok(terms < (ROUNDS / 2) * VALUES, `${terms} terms`);
      assert.equal(await countBySparql(process), `${VALUES}`);
    }
  });
});
