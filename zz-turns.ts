import { openNodeDisk } from './src/journal/node-disk.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { openOn } from './test/support/stores.ts';
import { parseRdf } from './src/rdf/parse.ts';
import { planChanges } from './src/store/bulk-plan.ts';
import { buildChanges } from './src/store/bulk-build.ts';
import { commitInBulk } from './src/store/bulk-commit.ts';
import { leavingBlock } from './workers/outcome.ts';
function body(millions: number, offset: number) {
  const chunks: Buffer[] = []; let s = '';
  for (let i = 0; i < millions * 1e6; i++) {
    const e = (i >> 2) + offset;
    s += `<http://example.org/entity/${e}> <http://example.org/p${i & 3}> ${i & 1 ? `<http://example.org/entity/${(e * 7919) % 1000003}>` : `"value ${e} of ${i & 3}"`} .\n`;
    if (s.length > 1 << 20) { chunks.push(Buffer.from(s)); s = ''; }
  }
  chunks.push(Buffer.from(s)); return Buffer.concat(chunks);
}
const dir = mkdtempSync('/tmp/bulkbench/turns-');
const disk = await openNodeDisk(dir);
const store = await openOn(disk);
const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
let k = 0;
for (const m of process.argv.slice(2).map(Number)) {
  const block = leavingBlock(parseRdf(body(m, 5_000_000 * k), { mediaType: 'application/n-triples', baseIri: 'urn:x:b' }));
  const turns: number[] = [];
  const times: string[] = [];
  const timed = async <T>(what: string, f: () => T | Promise<T>) => { const t = performance.now(), c = cpu(); const v = await f(); times.push(`${what} ${(performance.now() - t).toFixed(0)} (cpu ${(cpu() - c).toFixed(0)})`); return v; };
  const operation = { kind: 'replace', graph: `urn:big${k++}`, block } as const;
  const transaction = { preconditions: [], operations: [operation] };
  const error = await commitInBulk(transaction, operation, {
    store, directory: dir,
    turn: async (work) => { const c = performance.now(); const v = work(); turns.push(performance.now() - c); return v; },
    workOut: async (r: any) => ({ ok: true, value: await timed(r.kind, () => r.kind === 'plan-changes' ? planChanges(r) : buildChanges(disk, r)) as any }) as any,
    install: async (prepared) => { const { results } = await timed('install', () => store.commit([{ ...transaction, prepared }])); return results[0]; },
    hold: async () => () => {},
  });
  const sorted = [...turns].sort((a, b) => b - a);
  console.log(m, error, times.join('; '), 'turns', turns.length, 'sum', turns.reduce((a, b) => a + b, 0).toFixed(0), 'longest', sorted.slice(0, 8).map((x) => x.toFixed(1)).join(' '));
}
await store.close(); rmSync(dir, { recursive: true });
