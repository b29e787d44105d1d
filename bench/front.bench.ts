/** The front end by itself: replies that are kept in memory, beside the hello-world. */
import { chooseGenerator } from './load-generator.ts';
import { start, stop } from './processes.ts';
import type { Figure } from './report.ts';

const CONNECTIONS = 64;

export interface FrontBenchOptions {
  readonly rounds: number;
  readonly seconds: number;
}

export async function benchFront({ rounds, seconds }: FrontBenchOptions): Promise<Figure[]> {
  const { name: generator, run } = await chooseGenerator();
  const hello = await start(['dist/bench/hello-world.js']);
  const front = await start(['dist/bench/prebuilt-replies.js']);
  const common = { connections: CONNECTIONS, seconds };
  const load = (port: string, path: string) => ({
    ...common,
    url: `http://127.0.0.1:${port}`,
    paths: [path],
  });
  const helloLoad = load(hello.line, '/');
  const kinds = [
    { name: 'a reply from memory', path: '/', goal: '0.5' },
    { name: 'the same with 304', path: '/304', goal: '0.7' },
  ].map((kind) => ({ ...kind, values: [] as number[] }));
  const bare: number[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      bare.push((await run(helloLoad)).requestsPerSecond);
      for (const { path, values } of kinds)
        values.push((await run(load(front.line, path))).requestsPerSecond);
    }
  } finally {
    await stop(hello);
    await stop(front, 'SIGKILL');
  }
  return kinds.map(({ name, values, goal }) => ({
    name: `${name}, 10 headers, ${CONNECTIONS} connections`,
    unit: 'requests/s',
    values,
    reference: { name: 'uWebSockets.js hello-world', values: bare },
    goal: `${goal} or more`,
    note: generator,
  }));
}
