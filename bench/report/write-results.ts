import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plot, Skipped } from './figure.ts';
import { htmlPage } from './html.ts';
import { type Result, toJsonLine } from './json-lines.ts';
import type { Machine } from './machine.ts';
import { cells, markdownTable } from './markdown.ts';

export interface Run {
  readonly date: string;
  readonly machine: Machine;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly results: readonly Result[];
  readonly skipped: readonly Skipped[];
  readonly plots: readonly Plot[];
}

const HEAD = ['figure', 'median', 'quartiles', 'reference', 'ratio', 'quartiles', 'goal'];

/** One JSON line a result in `results.jsonl`, which grows from run to run. */
export async function appendResults(directory: string, results: readonly Result[]): Promise<void> {
  await mkdir(directory, { recursive: true });
  await appendFile(join(directory, 'results.jsonl'), results.map(toJsonLine).join(''));
}

/** A table and a page of one run. Gives their names. */
export async function writePages(directory: string, run: Run): Promise<string[]> {
  const { date, machine, parameters, results, skipped, plots } = run;
  const stem = join(directory, `${date.replace(/[:.]/g, '-')}-${machine.commit.replace('+', '')}`);
  const about = [describe(machine), `Parameters: ${describe(parameters)}.`];
  const words = [...about, ...skipped.map(({ id, reason }) => `${id} was left out: ${reason}`)];
  const tables = [{ title: 'Figures', head: HEAD, rows: results.map((result) => cells(result, 'missed')) }];
  const page = htmlPage({ title: `Benchmarks of ${date}`, words, tables, plots });
  await mkdir(directory, { recursive: true });
  await writeFile(`${stem}.md`, `${about.join('\n\n')}\n\n${markdownTable(results, skipped)}`);
  await writeFile(`${stem}.html`, page);
  return [`${stem}.md`, `${stem}.html`];
}

function describe(values: object): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
