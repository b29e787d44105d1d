import { Bench } from 'tinybench';
import type { BenchOptions } from '../options.ts';

type Work = () => unknown;

/** Calls in a sample of slow work. */
const LEAST_CALLS = 3;

/**
 * Measures two kinds of work alternately, after a warm-up: calls per second (medians of samples),
 * one value per round.
 */
export async function inTurn(
  options: Pick<BenchOptions, 'rounds' | 'seconds'>,
  first: Work,
  second: Work,
): Promise<{ first: number[]; second: number[] }> {
  const rates = { first: [] as number[], second: [] as number[] };
  for (let round = 0; round < options.rounds; round++) {
    const warmup = round === 0;
    rates.first.push(await rate('first', first, options.seconds, warmup));
    rates.second.push(await rate('second', second, options.seconds, warmup));
  }
  return rates;
}

/** Calls a second. Throws what the work throws. */
export async function rate(name: string, work: Work, seconds: number, warmup: boolean): Promise<number> {
  const bench = new Bench({
    time: seconds * 1000,
    iterations: LEAST_CALLS,
    warmup,
    warmupTime: 500,
    warmupIterations: LEAST_CALLS,
    throws: true,
  });
  bench.add(name, work);
  const [task] = await bench.run();
  const result = task?.result;
  if (result && 'throughput' in result) return result.throughput.p50;
  throw new Error(`${name} was not measured.`);
}
