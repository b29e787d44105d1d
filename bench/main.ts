/** npm run bench: see `BENCH_HELP`. */
import { killAll } from './measure/processes.ts';
import { ArgumentError, BENCH_HELP, type BenchOptions, hasGoals, readBenchArguments } from './options.ts';
import { type Plot, type Skipped, withoutGoal } from './report/figure.ts';
import type { Result } from './report/json-lines.ts';
import { describeMachine } from './report/machine.ts';
import { markdownTable } from './report/markdown.ts';
import { appendResults, writePages } from './report/write-results.ts';
import { Stage } from './stage.ts';
import { runSuite } from './suites/run.ts';

let interrupted = false;

try {
  const request = readBenchArguments(process.argv.slice(2));
  if (request.kind === 'help') console.log(BENCH_HELP);
  else process.exitCode = await bench(request.options);
} catch (error) {
  if (!(error instanceof ArgumentError)) throw error;
  console.error(`bench: ${error.message}`);
  process.exitCode = 2;
}

/** Exit status: 1 when something could not be measured. */
async function bench(options: BenchOptions): Promise<number> {
  const stage = await Stage.open(options);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void interrupt(stage));
  const { suites, out, ...parameters } = options;
  const date = new Date().toISOString();
  const machine = describeMachine();
  const results: Result[] = [];
  const skipped: Skipped[] = [];
  const plots: Plot[] = [];
  try {
    for (const suite of suites) {
      if (interrupted) break;
      const began = performance.now();
      process.stderr.write(`${suite} … `);
      const outcome = await runSuite(suite, stage);
      process.stderr.write(`${((performance.now() - began) / 1000).toFixed(1)} s\n`);
      const figures = hasGoals(suite, options) ? outcome.figures : outcome.figures.map(withoutGoal);
      const found = figures.map((figure) => ({ ...figure, suite, date, machine, parameters }));
      await appendResults(out, found);
      results.push(...found);
      skipped.push(...(outcome.skipped ?? []));
      plots.push(...(outcome.plots ?? []));
    }
  } finally {
    await stage.close();
  }
  console.log(`\n${markdownTable(results, skipped)}`);
  const files = await writePages(out, { date, machine, parameters, results, skipped, plots });
  console.log(`Written: ${files.join(', ')}`);
  return skipped.some(({ id }) => suites.some((suite) => suite === id)) ? 1 : 0;
}

async function interrupt(stage: Stage): Promise<void> {
  interrupted = true;
  killAll();
  await stage.close().catch(() => {});
  process.exit(130);
}
