import { createServer } from 'node:net';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import { type App, type AppParts, createApp } from '../../src/app.ts';
import { type Config, fillConfig } from '../../src/config.ts';
import { Pool } from '../../src/pool/pool.ts';
import { StoreClient } from '../../src/store/main/client.ts';
import { SimDisk } from '../simulation/sim-disk.ts';
import { InProcessStore, InProcessThreads } from './in-process.ts';
import { tested } from './tested-front.ts';

export const BASE = 'http://data.example.org';
/** The time at which the clock of the fixture begins. */
export const NOW = Date.UTC(2020, 1, 2, 3, 4, 5);

/** A server on a fake disk, clock and pool. All of it runs in the thread of the test. */
export class AppFixture {
  readonly disk = new SimDisk({ seed: 1 });
  /** The parts that were closed, in order. */
  readonly closed: string[] = [];
  /** Waits before each evaluation. */
  beforeEvaluation = () => Promise.resolve();
  /** The time, in milliseconds since 1970. */
  now = NOW;
  readonly #context: TestContext;

  constructor(context: TestContext) {
    this.#context = context;
  }

  readonly parts: AppParts = {
    log: pino({ level: 'silent' }),
    now: () => this.now,
    openStore: async (options) => {
      const startThread = (settings: ConstructorParameters<typeof InProcessStore>[0]) =>
        new InProcessStore(settings, this.disk, () => this.now);
      return this.#noteClose('store', await StoreClient.open({ ...options, startThread }));
    },
    createPool: (options) => {
      const pool = new Pool({ ...options, startThreads: (given) => new InProcessThreads(given) });
      const evaluate = pool.evaluate.bind(pool);
      this.#context.mock.method(pool, 'evaluate', async (...job: Parameters<Pool['evaluate']>) => {
        await this.beforeEvaluation();
        return evaluate(...job);
      });
      return this.#noteClose('pool', pool);
    },
  };

  async start(config: Partial<Config> = {}, parts: Partial<AppParts> = {}): Promise<App> {
    const settings = {
      front: tested.front,
      memory: true,
      port: 0,
      base: BASE,
      threads: 2,
      sparqlThreads: 0,
      ...config,
    };
    const app = await createApp(fillConfig(settings), { ...this.parts, ...parts });
    this.#context.after(() => app.close());
    return app;
  }

  #noteClose<T extends Pool | StoreClient>(name: string, part: T): T {
    const close = part.close.bind(part);
    this.#context.mock.method(part as Pool, 'close', async (graceMs: number) => {
      await close(graceMs);
      this.closed.push(name);
    });
    return part;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
