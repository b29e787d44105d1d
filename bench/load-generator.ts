import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { output } from './processes.ts';

export interface Load {
  readonly url: string;
  /** Requested in turn, from a random one on; `/` first. */
  readonly paths: readonly string[];
  /** Body of a POST; GET when it is left out. */
  readonly body?: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
}

export type LoadGenerator = (load: Load) => Promise<LoadResult>;

/**
 * wrk where the machine has it, since it costs the server the least processor time; else autocannon, which on two cores is
 * itself the limit, so that ratios come out too high.
 */
export async function chooseGenerator(): Promise<{ name: string; run: LoadGenerator }> {
  const version = await output('sh', ['-c', 'command -v wrk || true']);
  return version.trim() === '' ? { name: 'autocannon', run: runAutocannon } : { name: 'wrk', run: runWrk };
}

async function runAutocannon(load: Load): Promise<LoadResult> {
  const { url, connections, seconds, paths, body } = load;
  const post = body === undefined ? undefined : { method: 'POST' as const, body };
  const requests = paths.map((path) => ({ method: 'GET' as const, path, ...post }));
  const result = await autocannon({ url, connections, duration: seconds, workers: 1, requests });
  const { p50, p99 } = result.latency;
  return { requestsPerSecond: result.requests.average, p50, p99, errors: result.errors + result.non2xx };
}

async function runWrk(load: Load): Promise<LoadResult> {
  const directory = await mkdtemp(join(tmpdir(), 'pathpool-wrk-'));
  try {
    const script = join(directory, 'load.lua');
    await writeFile(script, luaScript(load));
    const args = ['-t1', `-c${load.connections}`, `-d${load.seconds}s`, '-s', script, load.url];
    const text = await output('wrk', args);
    const result = /RESULT (\S+) (\S+) (\S+) (\S+)/.exec(text);
    if (!result) throw new Error(`wrk said: ${text}`);
    const [requestsPerSecond = 0, p50 = 0, p99 = 0, errors = 0] = result.slice(1).map(Number);
    return { requestsPerSecond, p50, p99, errors };
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Requests are formatted before the load begins; answers are counted, not looked into. */
function luaScript({ paths, body }: Load): string {
  const request = body === undefined ? "'GET', path" : `'POST', path, nil, ${JSON.stringify(body)}`;
  return `local requests, at = {}, 0
function init()
  for _, path in ipairs({${paths.map((path) => JSON.stringify(path)).join(',')}}) do
    requests[#requests + 1] = wrk.format(${request})
  end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary, latency)
  local e = summary.errors
  print(string.format('RESULT %f %f %f %d', summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, e.connect + e.read + e.write + e.status + e.timeout))
end
`;
}
