import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { ArgumentError, parsed, readNumber, readSize } from '../options.ts';
import { type Kind, kinds, writeKinds } from './kinds.ts';

/** Where the data are. */
export type Subject =
  /** A running server; its writes are measured only if it may be written to. */
  | { readonly kind: 'server'; readonly url: string }
  /** RDF files for servers of our own. */
  | { readonly kind: 'files'; readonly files: readonly string[] }
  /** The data set of the benchmarks. */
  | { readonly kind: 'persons'; readonly triples: number };

export interface CapacityOptions {
  readonly subject: Subject;
  readonly kinds: readonly Kind[];
  readonly path: string | undefined;
  /** Files. */
  readonly program: string | undefined;
  readonly starts: string | undefined;
  /** Named graph that is read whole; chosen from the data when undefined. */
  readonly graph: string | undefined;
  /** Milliseconds. */
  readonly p99: number;
  readonly threads: readonly number[];
  /** Of each load. */
  readonly seconds: number;
  readonly connections: number;
  readonly quick: boolean;
  readonly out: string;
  /** Value of that header. */
  readonly authorization: string | undefined;
}

export type CapacityRequest =
  | { readonly kind: 'help' }
  | { readonly kind: 'run'; readonly options: CapacityOptions };

export const CAPACITY_HELP = `npm run capacity -- --url URL | --data FILE [options]

Finds what a server sustains on this machine: for each kind of request, the rate with p99 under a bound; scaling with threads,
memory per triple, load and start-up time, and the limiting resource. Writes a report as text, HTML and JSON.

  --url URL             a running server
  --data FILE           RDF file for servers that are started here, in a temporary directory; may be repeated
  --size 10k|100k|1M    the data set of the benchmarks, instead of --data
  --path PATH           LDPath of the kind path (default: all values of a resource)
  --program FILE        LDPath program of the kinds program and batch
  --starts FILE         start resources, one per line (default: subjects found in the data)
  --graph IRI           graph of the kind context (default: one of middle size)
  --kinds NAME[,…]      ${kinds.join(', ')} (default all)
  --writes              also measure writes on the server of --url, which leave data there
  --p99 TIME            bound, such as 50ms or 0.2s (default 50ms)
  --threads N[,N…]      numbers of worker threads to compare; with --data only (default 1 to twice the cores)
  --seconds NUMBER      duration of each load (default 3; 1 with --quick)
  --connections NUMBER  maximum number of connections (default 256)
  --quick               about a minute
  --out DIRECTORY       directory of the report (default bench/results)

PATHPOOL_AUTHORIZATION in the environment is sent as the Authorization header.
`;

const THREADS_OF_A_LIST = 16;

export function readCapacityArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): CapacityRequest {
  const { values } = parsed(() =>
    parseArgs({
      args: [...args],
      options: {
        url: { type: 'string' },
        data: { type: 'string', multiple: true },
        size: { type: 'string' },
        path: { type: 'string' },
        program: { type: 'string' },
        starts: { type: 'string' },
        graph: { type: 'string' },
        kinds: { type: 'string' },
        writes: { type: 'boolean', default: false },
        p99: { type: 'string', default: '50ms' },
        threads: { type: 'string' },
        seconds: { type: 'string' },
        connections: { type: 'string', default: '256' },
        quick: { type: 'boolean', default: false },
        out: { type: 'string', default: 'bench/results' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }),
  );
  if (values.help) return { kind: 'help' };
  const { quick, writes, path, program, starts, graph, out } = values;
  const subject = readSubject(values.url, values.data, values.size);
  const own = subject.kind !== 'server';
  if (!own && values.threads !== undefined) {
    throw new ArgumentError('--threads: the threads of a running server cannot be changed; use --data.');
  }
  if (own && writes)
    throw new ArgumentError('--writes is for --url; servers of --data are always written to.');
  const options = {
    subject,
    kinds: readKinds(values.kinds, own || writes),
    path,
    program,
    starts,
    graph,
    p99: readTime(values.p99),
    threads: own ? readThreads(values.threads, quick) : [],
    seconds: readNumber('seconds', values.seconds ?? (quick ? '1' : '3'), 0.05, 3600, 'any'),
    connections: readNumber('connections', values.connections, 1, 10_000),
    quick,
    out,
    authorization: environment['PATHPOOL_AUTHORIZATION'],
  };
  return { kind: 'run', options };
}

function readSubject(
  url: string | undefined,
  files: readonly string[] | undefined,
  size: string | undefined,
): Subject {
  const given = [url, files, size].filter((value) => value !== undefined).length;
  if (given !== 1) throw new ArgumentError('Expected one of --url, --data and --size (see --help).');
  if (files) return { kind: 'files', files };
  if (size !== undefined) return { kind: 'persons', triples: readSize(size) };
  if (url && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) {
    return { kind: 'server', url: url.replace(/\/+$/, '') };
  }
  throw new ArgumentError('--url: expected an http or https URL.');
}

function readKinds(text: string | undefined, writes: boolean): readonly Kind[] {
  const allowed = writes ? kinds : kinds.filter((kind) => !writeKinds.has(kind));
  if (text === undefined) return allowed;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(kinds as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new ArgumentError(
      `--kinds: there is no ${JSON.stringify(unknown)}; expected some of ${kinds.join(', ')}.`,
    );
  }
  const refused = names.find((name) => !(allowed as readonly string[]).includes(name));
  if (refused !== undefined) throw new ArgumentError(`--kinds: ${refused} writes; allow that with --writes.`);
  return allowed.filter((kind) => names.includes(kind));
}

/** Milliseconds. */
function readTime(text: string): number {
  const [, digits, unit] = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(text) ?? [];
  const milliseconds = Number(digits) * (unit === 's' ? 1000 : 1);
  if (milliseconds > 0 && milliseconds <= 60_000) return milliseconds;
  throw new ArgumentError('--p99: expected a time such as 50ms or 0.2s, at most 60s.');
}

function readThreads(text: string | undefined, quick: boolean): readonly number[] {
  if (text === undefined) return defaultThreads(availableParallelism(), quick);
  const numbers = text.split(',').map((part) => readNumber('threads', part, 1, 256));
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** Enough for a law where there are few cores: beyond twice their number nothing is won. */
function defaultThreads(cores: number, quick: boolean): readonly number[] {
  if (quick) return cores === 1 ? [1] : [1, cores];
  const most = Math.max(2, cores * 2);
  const all = Array.from({ length: most }, (_, i) => i + 1);
  const step = Math.ceil(most / THREADS_OF_A_LIST);
  return all.filter((count) => count === 1 || count === cores || count % step === 0);
}
