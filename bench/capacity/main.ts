/** npm run capacity: see `CAPACITY_HELP`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { killAll } from '../measure/processes.ts';
import { ArgumentError } from '../options.ts';
import { CAPACITY_HELP, type CapacityOptions, readCapacityArguments } from './options.ts';
import { CapacityPlan } from './plan.ts';
import { type CapacityReport, htmlReport, textReport } from './report.ts';

/** Of a process that Ctrl-C ended. */
const INTERRUPTED = 130;

let interrupted = false;

try {
  const request = readCapacityArguments(process.argv.slice(2), process.env);
  if (request.kind === 'help') console.log(CAPACITY_HELP);
  else await measure(request.options);
} catch (error) {
  // What is being ended can't be measured, of course.
  if (!interrupted) {
    console.error(`capacity: ${(error as Error).message}`);
    process.exitCode = error instanceof ArgumentError ? 2 : 1;
  }
}

async function measure(options: CapacityOptions): Promise<void> {
  const began = performance.now();
  const plan = new CapacityPlan(options, (words) => {
    const seconds = Math.round((performance.now() - began) / 1000);
    process.stderr.write(`[${String(seconds).padStart(4)} s] ${words}\n`);
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void interrupt(plan));
  try {
    const report = await plan.run();
    console.log(`\n${textReport(report)}\n`);
    console.log(`Written: ${(await write(options.out, report)).join(', ')}`);
  } finally {
    await plan.end();
  }
}

async function write(directory: string, report: CapacityReport): Promise<string[]> {
  await mkdir(directory, { recursive: true });
  const stem = join(directory, `capacity-${report.date.replace(/[:.]/g, '-')}`);
  await writeFile(`${stem}.html`, htmlReport(report));
  await writeFile(`${stem}.json`, `${JSON.stringify(report, undefined, 2)}\n`);
  return [`${stem}.html`, `${stem}.json`];
}

/** Nothing that was started stays. */
async function interrupt(plan: CapacityPlan): Promise<void> {
  interrupted = true;
  process.stderr.write('capacity: interrupted\n');
  killAll();
  await plan.end().catch(() => {});
  process.exit(INTERRUPTED);
}
