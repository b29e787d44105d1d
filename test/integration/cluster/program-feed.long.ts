/** The changed results of a stored program, while the process that writes is lost. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { PathpoolProcess } from '../../../bench/cluster/pathpool-process.ts';
import { PathpoolClient, type ResultChange } from '../../../src/library/client/entry.ts';
import type { Fields } from '../../../src/library/client/result-types.ts';
import { seededRandom } from '../../simulation/sim-disk.ts';
import { startCluster, type TestCluster } from '../../support/cluster.ts';
import { COMMIT, send } from '../../support/cluster-requests.ts';
import { withoutNats } from '../../support/nats-servers.ts';

const FOAF = 'http://xmlns.com/foaf/0.1/';
const PERSONS = 20;
const WRITES = 150;
const starts = { type: `${FOAF}Person` };
const program = `@filter foaf:name ;
  name = foaf:name :: xsd:string ;
  friends = foaf:knows / foaf:name :: xsd:string ;
  known = ^foaf:knows / foaf:name :: xsd:string ;`;

/** The results of the program as far as a client has read them. */
class FollowedResults {
  readonly results = new Map<string, Fields>();
  position: string;

  constructor(position: string) {
    this.position = position;
  }

  apply(change: ResultChange<Fields>): void {
    assert.equal(change.uri === undefined ? undefined : change.error, undefined);
    if (change.uri !== undefined) {
      if (change.result) this.results.set(change.uri, change.result);
      else this.results.delete(change.uri);
    }
    this.position = change.position;
  }
}

/** Sends writes one after another, to processes that run, each until it is acknowledged. */
class Writer {
  readonly #cluster: TestCluster;
  readonly #random: () => number;
  #count = 0;

  constructor(cluster: TestCluster, random: () => number) {
    this.#cluster = cluster;
    this.#random = random;
  }

  /** Returns the number of the last commit. */
  async write(count: number): Promise<string> {
    let commit = '';
    for (let i = 0; i < count; i++) commit = await this.#writeOne();
    return commit;
  }

  async #writeOne(): Promise<string> {
    const number = this.#below(PERSONS);
    const body = this.#person(number);
    const headers = { 'Content-Type': 'text/turtle' };
    for (;;) {
      for (const { url, isRunning } of this.#cluster.processes) {
        if (!isRunning) continue;
        const init = { method: 'PUT', headers, body };
        const reply = await send(`${url}/context?graph=urn:x:p${number}`, init).catch(() => undefined);
        if (reply && reply.status < 300) return reply.commit;
      }
    }
  }

  /** Each has a new name, so that every write changes a result; some leave the set. */
  #person(number: number): string {
    const type = this.#random() < 0.8 ? `a <${FOAF}Person> ;` : '';
    const friends = [1, 2].map(() => `<urn:x:${this.#below(PERSONS)}>`).join(', ');
    this.#count++;
    return `<urn:x:${number}> ${type} <${FOAF}name> "${this.#count}" ; <${FOAF}knows> ${friends} .`;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

const numberOf = (position: string) => Number(position.split('.')[1]);

/** The results of now, at a commit or later. */
async function resultsAt({ url }: PathpoolProcess, commit: string): Promise<Map<string, Fields>> {
  const { ldpath } = new PathpoolClient(url, { headers: { [COMMIT]: commit } });
  const results = new Map<string, Fields>();
  for await (const { uri, result, error } of ldpath.batchOfStored('people')) {
    assert.equal(error, undefined);
    results.set(uri, result);
  }
  return results;
}

const sorted = (results: Map<string, Fields>) => [...results].toSorted(([a], [b]) => (a < b ? -1 : 1));

it('the feed of a program goes on at another process after the writer was killed (F-2, F-20)', {
  skip: withoutNats,
  timeout: 300_000,
}, async (t) => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  t.diagnostic(`seed ${seed}`);
  const cluster = await startCluster(t, { logServers: 1, processes: 3 });
  const writer = await cluster.writer();
  const [follower, third] = cluster.processes.filter((process) => process !== writer);
  const { position } = await new PathpoolClient(writer.url).programs.put('people', { program, starts });
  const followed = new FollowedResults(position);
  const writes = new Writer(cluster, seededRandom(seed));
  await writes.write(WRITES);
  const live = new PathpoolClient(follower!.url).programs.followChanges('people', { since: position });
  const readTo = async (commit: string) => {
    while (numberOf(followed.position) < numberOf(commit)) followed.apply((await live.next()).value!);
  };
  const [inFlight] = await Promise.all([writes.write(1), writer.kill()]);
  await readTo(inFlight);
  await readTo(await writes.write(WRITES));
  assert.notEqual(await cluster.writer(), writer);
  assert.deepEqual(sorted(followed.results), sorted(await resultsAt(follower!, followed.position)));
  await live.return();
  const last = await writes.write(WRITES);
  const rest = new PathpoolClient(third!.url, { headers: { [COMMIT]: last } });
  for await (const change of rest.programs.changes('people', { since: followed.position })) {
    followed.apply(change);
  }
  assert.equal(followed.position, last);
  assert.deepEqual(sorted(followed.results), sorted(await resultsAt(third!, last)));
});
