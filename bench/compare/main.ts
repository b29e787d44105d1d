/** npm run bench:compare: see `COMPARE_HELP`. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TRIPLES_A_PERSON } from '../data/person-data.ts';
import { type Running, startCommand, stop } from '../measure/processes.ts';
import { ArgumentError, type BenchOptions } from '../options.ts';
import { fromJsonLines, type Result } from '../report/json-lines.ts';
import { shown } from '../report/text.ts';
import { COMPARE_HELP, readCompareArguments } from './options.ts';
import { type Comparison, compareRounds, type Round, unpaired } from './pairs.ts';
import { Revision } from './revision.ts';

/** Of a process that Ctrl-C ended. */
const INTERRUPTED = 130;

let child: Running | undefined;
let interrupted = false;

try {
  const request = readCompareArguments(process.argv.slice(2));
  if (request.kind === 'help') console.log(COMPARE_HELP);
  else await compare(request.ref, request.options);
} catch (error) {
  console.error(`bench:compare: ${interrupted ? 'interrupted' : (error as Error).message}`);
  process.exitCode = interrupted ? INTERRUPTED : error instanceof ArgumentError ? 2 : 1;
}

async function compare(ref: string, options: BenchOptions): Promise<void> {
  const revision = await Revision.checkOut(ref);
  const results = await mkdtemp(join(tmpdir(), 'pathpool-compare-results-'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  try {
    say(`building ${ref}`);
    await revision.build(say);
    const rounds: Round[] = [];
    for (let round = 0; round < options.rounds && !interrupted; round++) {
      say(`round ${round + 1} of ${options.rounds}`);
      rounds.push(await runRound(round, revision.root, options, results));
    }
    if (interrupted) throw new Error('interrupted');
    console.log(table(ref, compareRounds(rounds)));
    const alone = unpaired(rounds);
    if (alone.length > 0) console.log(`Not on both sides: ${alone.join(', ')}`);
  } finally {
    await rm(results, { recursive: true, force: true });
    await revision.remove();
  }
}

/**
 * Runs suite by suite, so that compared values are measured close together. The order of the two
 * versions alternates between rounds.
 */
async function runRound(round: number, root: string, options: BenchOptions, results: string): Promise<Round> {
  const here: Result[] = [];
  const there: Result[] = [];
  for (const suite of options.suites) {
    const one = { ...options, suites: [suite] };
    const measureHere = async () =>
      here.push(...(await run(process.cwd(), one, join(results, randomUUID()))));
    const measureThere = async () => there.push(...(await run(root, one, join(results, randomUUID()))));
    for (const measure of round % 2 === 0 ? [measureHere, measureThere] : [measureThere, measureHere]) {
      await measure();
    }
  }
  return { here, there };
}

async function run(root: string, options: BenchOptions, out: string): Promise<Result[]> {
  if (interrupted) return [];
  const args = ['dist/bench/main.js', ...argumentsOf(options), '--out', out];
  child = { process: startCommand(process.execPath, args, root) };
  child.process.stdout?.resume();
  await once(child.process, 'exit');
  child = undefined;
  const file = join(out, 'results.jsonl');
  return fromJsonLines(await readFile(file, 'utf8').catch(() => ''));
}

/** One round of what was asked for. */
function argumentsOf(options: BenchOptions): string[] {
  const { persons, seconds, threads, connections, generator, suites } = options;
  const given = {
    size: persons * TRIPLES_A_PERSON,
    seconds,
    threads,
    connections,
    generator,
    only: suites.join(','),
  };
  const flags = Object.entries(given).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return [...flags, '--rounds', '1', '--no-peers', '--no-plots'];
}

function table(ref: string, comparisons: readonly Comparison[]): string {
  const head = `| figure | here | ${ref} | ratio | quartiles | |\n|---|---|---|---|---|---|\n`;
  const rows = comparisons.map(({ name, unit, here, there, ratio, verdict }) => {
    const spread = `${shown(ratio.low)}-${shown(ratio.high)}`;
    return `| ${name} | ${shown(here)} ${unit} | ${shown(there)} ${unit} | ${shown(ratio.median)} | ${spread} | ${verdict} |\n`;
  });
  return `\n${head}${rows.join('')}`;
}

/** The benchmarks that run end in order what they started; then the worktree goes. */
function interrupt(): void {
  interrupted = true;
  if (child) void stop(child);
}

function say(words: string): void {
  process.stderr.write(`${words}\n`);
}
