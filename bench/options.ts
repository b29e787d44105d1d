import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { TRIPLES_A_PERSON } from './data/person-data.ts';
import { defaultSuites, type SuiteName, suiteNames } from './suites/names.ts';

const TRIPLES_OF_GOALS = 1_000_000;

/** Invalid arguments; the message says what is expected. */
export class ArgumentError extends Error {}

export interface BenchOptions {
  /** For a first look, not for comparisons with goals. */
  readonly quick: boolean;
  readonly persons: number;
  readonly rounds: number;
  /** Of one slice. */
  readonly seconds: number;
  readonly threads: number;
  readonly connections: number;
  /** What makes the load of closed loops. */
  readonly generator: 'own' | 'wrk';
  readonly peers: boolean;
  /** Latency against load, which takes many slices. */
  readonly plots: boolean;
  /** Of `scale`, ascending: millions of triples. */
  readonly sizes: readonly number[];
  readonly suites: readonly SuiteName[];
  /** Directory for results. */
  readonly out: string;
}

export type BenchRequest =
  | { readonly kind: 'help' }
  | { readonly kind: 'run'; readonly options: BenchOptions };

export const BENCH_HELP = `npm run bench -- [options]

  --size 10k|100k|1M|8M  triples of the data set (default 1M)
  --only NAME[,NAME...]  ${suiteNames.join(', ')} (default all but scale)
  --sizes SIZE[,SIZE...] sizes of the data sets of scale, in whole millions of triples (default 1M,4M)
  --rounds NUMBER        slices per figure, measured in turn with its reference (default 5)
  --seconds NUMBER       length of one slice (default 2)
  --threads NUMBER       worker threads of the servers (default one per core)
  --connections NUMBER   connections of closed loops (default 64)
  --generator own|wrk    load generator of closed loops (default own; wrk checks only the status of responses)
  --no-peers             leave out other engines
  --no-plots             leave out latency against load
  --quick                100k, 2 rounds of 1 second; nothing is compared with goals
  --out DIRECTORY        directory of the results (default bench/results)
`;

export function readBenchArguments(args: readonly string[]): BenchRequest {
  const { values } = parsed(() =>
    parseArgs({
      args: [...args],
      options: {
        size: { type: 'string' },
        only: { type: 'string' },
        sizes: { type: 'string', default: '1M,4M' },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        threads: { type: 'string' },
        connections: { type: 'string', default: '64' },
        generator: { type: 'string', default: 'own' },
        'no-peers': { type: 'boolean', default: false },
        'no-plots': { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        out: { type: 'string', default: 'bench/results' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }),
  );
  if (values.help) return { kind: 'help' };
  const { quick, generator, out } = values;
  if (generator !== 'own' && generator !== 'wrk')
    throw new ArgumentError('--generator: expected own or wrk.');
  const options = {
    quick,
    persons: readSize(values.size ?? (quick ? '100k' : '1M')) / TRIPLES_A_PERSON,
    rounds: readNumber('rounds', values.rounds ?? (quick ? '2' : '5'), 1, 1000),
    seconds: readNumber('seconds', values.seconds ?? (quick ? '1' : '2'), 0.1, 3600, 'any'),
    threads: readNumber('threads', values.threads ?? String(availableParallelism()), 1, 256),
    connections: readNumber('connections', values.connections, 1, 10_000),
    generator,
    peers: !values['no-peers'],
    plots: !values['no-plots'],
    sizes: readSizes(values.sizes),
    suites: readSuites(values.only),
    out,
  } as const;
  return { kind: 'run', options };
}

/** Whether a suite has goals for what is measured: a million triples, or the sizes of `scale`. */
export function hasGoals(suite: SuiteName, { quick, persons }: BenchOptions): boolean {
  return !quick && (suite === 'scale' || persons * TRIPLES_A_PERSON >= TRIPLES_OF_GOALS);
}

/** What `parseArgs` throws is for people too. */
export function parsed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ArgumentError((error as Error).message);
  }
}

export function readNumber(
  name: string,
  text: string,
  least: number,
  most: number,
  kind: 'whole' | 'any' = 'whole',
): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const good = value >= least && value <= most && (kind === 'any' || Number.isInteger(value));
  if (good) return value;
  throw new ArgumentError(
    `--${name}: expected a ${kind === 'whole' ? 'whole ' : ''}number from ${least} to ${most}.`,
  );
}

/** Triples; rounded down to whole persons. */
export function readSize(text: string): number {
  const [, digits, unit = ''] = /^(\d+)(k|m)?$/i.exec(text) ?? [];
  const triples = Number(digits) * (unit === '' ? 1 : unit.toLowerCase() === 'k' ? 1_000 : 1_000_000);
  const whole = triples - (triples % TRIPLES_A_PERSON);
  if (whole >= 1_000 && whole <= 8_000_000) return whole;
  throw new ArgumentError('--size: expected a number of triples such as 10k, 100k or 1M, from 1k to 8M.');
}

/** Ascending. */
function readSizes(text: string): readonly number[] {
  const sizes = text.split(',').map((size) => 1e6 * Number(/^([1-9]\d{0,2})M$/i.exec(size.trim())?.[1]));
  if (sizes.every((size) => size > 0)) return sizes.sort((a, b) => a - b);
  throw new ArgumentError('--sizes: expected whole millions of triples, such as 1M,4M,16M.');
}

function readSuites(only: string | undefined): readonly SuiteName[] {
  if (only === undefined) return defaultSuites;
  const names = only.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(suiteNames as readonly string[]).includes(name));
  if (unknown === undefined) return suiteNames.filter((name) => names.includes(name));
  throw new ArgumentError(
    `--only: there is no ${JSON.stringify(unknown)}; expected some of ${suiteNames.join(', ')}.`,
  );
}
