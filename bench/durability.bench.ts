/** Acknowledged small writes over HTTP beside what the disk does bare: a small append and fdatasync, one after another. */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import type { LoadResult } from './load-generator.ts';
import { output, start, stop } from './processes.ts';
import type { Figure } from './report.ts';

const CONNECTIONS = [1, 16, 64, 256];
const GRAPHS = 64;
/** Bytes; what the journal takes for one such write. */
const RECORD_BYTES = 200;
const HEADERS = { 'Content-Type': 'application/n-triples' };

export interface DurabilityBenchOptions {
  readonly rounds: number;
  readonly seconds: number;
}

export async function benchDurability({ rounds, seconds }: DurabilityBenchOptions): Promise<Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'pathpool-bench-'));
  const data = join(directory, 'data');
  const server = await start(['dist/src/main.js', '--port', '0', '--data', data, '--threads', '2']);
  const url = /http:\/\/\S+/.exec(server.line)?.[0] ?? '';
  const bare: number[] = [];
  const results = new Map<number, LoadResult[]>(CONNECTIONS.map((connections) => [connections, []]));
  try {
    const load = await chooseWriter(directory, url);
    await load(16, 1);
    for (let round = 0; round < rounds; round++) {
      bare.push(bareSyncs(join(directory, 'bare'), seconds));
      for (const connections of CONNECTIONS) results.get(connections)!.push(await load(connections, seconds));
    }
  } finally {
    await stop(server);
    await rm(directory, { recursive: true });
  }
  return [...results].map(([connections, measured]) => writeFigure(connections, measured, bare));
}

function writeFigure(connections: number, measured: readonly LoadResult[], bare: readonly number[]): Figure {
  const errors = measured.reduce((sum, result) => sum + result.errors, 0);
  if (errors > 0) throw new Error(`${errors} writes failed`);
  const latencies = measured.map(({ p50, p99 }) => `${p50.toFixed(2)}/${p99.toFixed(2)}`);
  return {
    name: `acknowledged writes of one triple, ${connections} connection${connections === 1 ? '' : 's'}`,
    unit: 'writes/s',
    values: measured.map(({ requestsPerSecond }) => requestsPerSecond),
    reference: { name: 'append and fdatasync', values: bare },
    ...(connections === 64 && { goal: '3 or more' }),
    note: `p50/p99 ms ${latencies.join(', ')}`,
  };
}

/** Syncs a second. */
function bareSyncs(path: string, seconds: number): number {
  const file = openSync(path, 'a');
  const record = Buffer.alloc(RECORD_BYTES, 'x');
  const began = performance.now();
  let count = 0;
  for (; performance.now() - began < seconds * 1000; count++) {
    writeSync(file, record);
    fdatasyncSync(file);
  }
  closeSync(file);
  return count / ((performance.now() - began) / 1000);
}

type Writer = (connections: number, seconds: number) => Promise<LoadResult>;

/** Every request adds a triple that was never there before; see `chooseGenerator` for why wrk. */
async function chooseWriter(directory: string, url: string): Promise<Writer> {
  const found = await output('sh', ['-c', 'command -v wrk || true']);
  let run = 0;
  if (found.trim() === '') return (connections, seconds) => runAutocannon(url, ++run, connections, seconds);
  const script = join(directory, 'write.lua');
  await writeFile(script, LUA);
  return async (connections, seconds) => {
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url, '--', String(++run)];
    const text = await output('wrk', args);
    const result = /RESULT (\S+) (\S+) (\S+) (\S+)/.exec(text);
    if (!result) throw new Error(`wrk said: ${text}`);
    const [requestsPerSecond = 0, p50 = 0, p99 = 0, errors = 0] = result.slice(1).map(Number);
    return { requestsPerSecond, p50, p99, errors };
  };
}

async function runAutocannon(url: string, run: number, connections: number, seconds: number) {
  let count = 0;
  const setupRequest = (request: autocannon.Request) => {
    const path = `/context?graph=urn:x:g${++count % GRAPHS}`;
    return { ...request, path, body: `<urn:x:s${count}> <urn:x:p> "${run}-${count}" .` };
  };
  const requests = [{ method: 'POST' as const, headers: HEADERS, setupRequest }];
  const result = await autocannon({ url, connections, duration: seconds, requests });
  const { p50, p99 } = result.latency;
  return { requestsPerSecond: result.requests.average, p50, p99, errors: result.errors + result.non2xx };
}

const LUA = `local count, run = 0, 0
function init(args)
  run = args[1]
end
function request()
  count = count + 1
  return wrk.format('POST', '/context?graph=urn:x:g' .. count % ${GRAPHS}, { ['Content-Type'] = '${HEADERS['Content-Type']}' },
    '<urn:x:s' .. count .. '> <urn:x:p> "' .. run .. '-' .. count .. '" .')
end
function done(summary, latency)
  local e = summary.errors
  print(string.format('RESULT %f %f %f %d', summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, e.connect + e.read + e.write + e.status + e.timeout))
end
`;
