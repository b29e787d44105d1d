import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LOG, type TestCluster } from '../../support/cluster.ts';
import { Recorder } from '../../support/linearizability/recorder.ts';
import { type RegisterInput, type RegisterOutput, register } from '../../support/linearizability/register.ts';
import { findViolation } from '../../support/linearizability/search.ts';
import { withoutNats } from '../../support/nats-servers.ts';
import { sharedCluster } from '../../support/shared-cluster.ts';
import { GraphRegister } from './graph-register.ts';

const timeout = 600_000;
const KEYS = 3;
const CLIENTS_OF_A_KEY = 3;
/** Writes of all clients that have won between two faults. */
const SOME_WRITES = 40;

/** Clients that race for a few graphs through all processes, until they are ended. */
class Races {
  readonly recorder = new Recorder<RegisterInput, RegisterOutput>();
  readonly counts = { won: 0, refused: 0, unknown: 0 };
  readonly #cluster: TestCluster;
  readonly #running: Promise<unknown>;
  readonly #clients: readonly GraphRegister[];
  readonly #isCalm: boolean;
  #numbers = 0;
  #isEnding = false;
  #wake = () => {};

  constructor(cluster: TestCluster, name: string) {
    this.#cluster = cluster;
    // After a fault, a process may answer before it has the commit of a write that it forwarded.
    this.#isCalm = name === 'calm';
    this.#clients = Array.from(
      { length: KEYS * CLIENTS_OF_A_KEY },
      (_, index) => new GraphRegister(this.recorder, `urn:x:${name}:${index % KEYS}`),
    );
    this.#running = Promise.all(this.#clients.map((client, index) => this.#run(client, index)));
    this.#running.catch(() => this.#wake());
  }

  /** Resolves after some more writes. */
  async progress(): Promise<void> {
    const wanted = this.counts.won + SOME_WRITES;
    const reached = async () => {
      while (this.counts.won < wanted) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    };
    await Promise.race([reached(), this.#running]);
  }

  /** What surrounds an operation that no order explains. */
  report(key: string, at: number): string {
    const near = this.recorder.histories.get(key)!.filter(({ returned }) => Math.abs(returned - at) < 80);
    const lines = near.map((operation) => JSON.stringify(operation));
    return [...lines, ...this.#clients.flatMap(({ failures }) => failures)].join('\n');
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#running;
  }

  async #run(client: GraphRegister, index: number): Promise<void> {
    for (let turn = index; !this.#isEnding; turn++) {
      // Each kind of read comes to each process.
      const url = this.#url(Math.floor(turn / 3));
      if (turn % 3 === 0) await client.readNewest(url);
      else if (turn % 3 === 1) await client.readOwn(url);
      else if (this.#isCalm) await client.readThere();
      else await client.readAny(url);
      const output = await client.compareAndSet(this.#url(turn + index), `v${++this.#numbers}`);
      if (output?.kind === 'done') this.counts.won++;
      else this.counts[output ? 'refused' : 'unknown']++;
      this.#wake();
    }
  }

  #url(turn: number): string {
    const { processes } = this.#cluster;
    return processes[turn % processes.length]!.url;
  }
}

describe('writes of several clients through several processes', { skip: withoutNats }, () => {
  const cluster = sharedCluster({ logServers: 3, processes: 3 });

  const check = async (name: string, disturb: (races: Races) => Promise<void>) => {
    const races = new Races(cluster(), name);
    try {
      await races.progress();
      await disturb(races);
      await cluster().untilReady();
      await races.progress();
    } finally {
      await cluster().heal();
      await races.end();
    }
    assert.equal(races.recorder.histories.size, KEYS);
    for (const [key, history] of races.recorder.histories) {
      const violation = findViolation(register, history);
      assert.equal(
        violation,
        undefined,
        violation && `${JSON.stringify(violation)}\n${races.report(key, violation.operation.returned)}`,
      );
    }
    return races;
  };

  it('are linearizable', { timeout }, async () => {
    await check('calm', (races) => races.progress());
  });

  it('are linearizable while the leader of the log is killed', { timeout }, async () => {
    await check('leader', async (races) => {
      const leader = await cluster().logServers.leaderOf(LOG);
      await leader.kill();
      await races.progress();
      await leader.start();
      await leader.untilHealthy();
    });
  });

  it('are linearizable while the writer is killed', { timeout }, async () => {
    await check('writer', async (races) => {
      for (let times = 0; times < 2; times++) {
        const writer = await cluster().writer();
        await writer.kill();
        await races.progress();
        await writer.start();
        await writer.untilReady();
      }
    });
  });

  it('are linearizable while the leader of the log and the writer are killed', { timeout }, async () => {
    await check('both', async (races) => {
      const leader = await cluster().logServers.leaderOf(LOG);
      const writer = await cluster().writer();
      await Promise.all([leader.kill(), writer.kill()]);
      await races.progress();
      await Promise.all([leader.start(), writer.start()]);
      await leader.untilHealthy();
    });
  });

  it('are linearizable while the writer is suspended', { timeout }, async () => {
    await check('suspended', async (races) => {
      const writer = await cluster().writer();
      writer.pause();
      await races.progress();
      writer.resume();
    });
  });
});
