import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { killAfter } from '../conformance/kill-after.ts';
import { projectFile, projectRoot } from '../support/project.ts';

const LIMIT_MS = 300_000;

/** What releases of Node.js may do differently: HTTP, threads and their ends, memory, the disk. */
const tests = [
  'app',
  'conformance/ldpath',
  'conformance/ldpath-http',
  'http/fronts/node-contract',
  'integration/ldp',
  'integration/ldp-smoke',
  'integration/sparql',
  'journal/disk/node-disk',
  'pool/isolation',
  'snapshot/threads',
  'store/format',
];

/** What a release of Node.js made of the demo and of these tests. */
export interface SmokeResult {
  readonly passed: number;
  /** What the first program that failed has printed. */
  readonly failure: string | undefined;
  readonly seconds: number;
}

/** `node`: the file of the release. */
export async function runOn(node: string): Promise<SmokeResult> {
  const began = performance.now();
  const demo = await output(node, ['dist/src/cli/demo.js', '--once']);
  const files = tests.map((name) => projectFile(`dist/test/${name}.test.js`));
  const options = ['--test-reporter=tap', '--test-timeout=120000', '--test-concurrency=2'];
  const { status, printed } = demo.status === 0 ? await output(node, ['--test', ...options, ...files]) : demo;
  return {
    passed: Number(/^# pass (\d+)$/m.exec(printed)?.[1] ?? 0),
    failure: status === 0 ? undefined : printed,
    seconds: Math.round((performance.now() - began) / 1000),
  };
}

/** Its child processes, too, run with that release. */
async function output(node: string, args: readonly string[]) {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env['PATH']}` };
  const child = spawn(node, args, { cwd: projectRoot, env, stdio: ['ignore', 'pipe', 'inherit'] });
  killAfter(child, LIMIT_MS);
  const ended = once(child, 'exit');
  const printed = await text(child.stdout);
  const [status] = (await ended) as [number | null];
  return { status, printed };
}
