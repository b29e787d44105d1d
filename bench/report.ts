import { appendFile, mkdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { output } from './processes.ts';

const RESULTS = 'bench/results';

/** One measured figure beside its reference point of the same run. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  /** One value a round. */
  readonly values: readonly number[];
  readonly reference?: { readonly name: string; readonly values: readonly number[] };
  readonly goal?: string;
  readonly note?: string;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Ratio of the medians. */
export function ratio(figure: Figure): number | undefined {
  return figure.reference && median(figure.values) / median(figure.reference.values);
}

export async function environment(): Promise<Record<string, string | number>> {
  const commit = (await output('git', ['rev-parse', '--short', 'HEAD'])).trim();
  const processors = cpus();
  return {
    commit,
    node: process.version,
    cores: processors.length,
    processor: processors[0]?.model.trim() ?? '',
  };
}

/** Appends one JSON line a figure to bench/results/, and prints a Markdown table. */
export async function writeReport(figures: readonly Figure[], about: Record<string, unknown>): Promise<void> {
  await mkdir(RESULTS, { recursive: true });
  const lines = figures.map((figure) => JSON.stringify({ ...figure, ratio: ratio(figure), ...about }));
  await appendFile(`${RESULTS}/results.jsonl`, `${lines.join('\n')}\n`);
  console.log(`\n${JSON.stringify(about)}\n`);
  console.log('| figure | median | spread | reference | ratio | goal |\n|---|---|---|---|---|---|');
  for (const figure of figures) console.log(tableRow(figure));
}

function tableRow(figure: Figure): string {
  const { name, unit, values, reference, goal = '', note } = figure;
  const of = ratio(figure);
  const cells = [
    note ? `${name} (${note})` : name,
    `${shown(median(values))} ${unit}`,
    `${shown(Math.min(...values))}-${shown(Math.max(...values))}`,
    reference ? `${reference.name}: ${shown(median(reference.values))} ${unit}` : '',
    of === undefined ? '' : of.toFixed(2),
    goal,
  ];
  return `| ${cells.join(' | ')} |`;
}

function shown(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toPrecision(3);
}
