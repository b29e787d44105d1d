import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { output } from '../measure/processes.ts';
import type { LoadResult } from './load.ts';
import type { LoadRequest, Target } from './request.ts';

/**
 * A closed loop by wrk, which uses the least processor time. It checks only the status of
 * responses.
 */
export async function runWrk(
  { url, requests }: Target,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
  directory: string,
): Promise<LoadResult> {
  const script = join(directory, 'load.lua');
  await writeFile(script, luaScript(requests));
  // It takes whole seconds only.
  const duration = `${Math.max(1, Math.round(seconds))}s`;
  const text = await output('wrk', ['-t1', `-c${connections}`, `-d${duration}`, '-s', script, url]);
  const found = /RESULT (.*)/.exec(text)?.[1]?.split(' ').map(Number);
  if (!found) throw new Error(`wrk said: ${text}`);
  const [answers = 0, took = 0, bytes = 0, p50 = 0, p90 = 0, p99 = 0, p999 = 0, max = 0, failures = 0] =
    found;
  return {
    seconds: took,
    requestsPerSecond: answers / took,
    bytesPerSecond: bytes / took,
    latency: { p50, p90, p99, p999, max },
    failures,
    fault: failures > 0 ? 'an error that wrk does not name' : undefined,
    abandoned: 0,
    lateness: 0,
    generatorLoad: 0,
  };
}

/** Requests are formatted before the load begins. */
function luaScript(requests: readonly LoadRequest[]): string {
  const lines = requests.map(({ method, path, headers = {}, body }) => {
    const fields = Object.entries(headers).map(([name, value]) => `[${lua(name)}]=${lua(value)}`);
    return `  requests[#requests + 1] = wrk.format(${lua(method)}, ${lua(path)}, {${fields.join(',')}}, ${body === undefined ? 'nil' : lua(body)})`;
  });
  return `local requests, at = {}, 0
function init()
${lines.join('\n')}
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary, latency)
  local e = summary.errors
  local ms = function(share) return latency:percentile(share) / 1e3 end
  print(string.format('RESULT %d %f %d %f %f %f %f %f %d', summary.requests, summary.duration / 1e6, summary.bytes,
    ms(50), ms(90), ms(99), ms(99.9), latency.max / 1e3, e.connect + e.read + e.write + e.status + e.timeout))
end
`;
}

/** A text in Lua, by decimal escapes of whatever could mean something. */
function lua(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) => {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    return plain ? String.fromCharCode(byte) : `\\${String(byte).padStart(3, '0')}`;
  });
  return `"${bytes.join('')}"`;
}
