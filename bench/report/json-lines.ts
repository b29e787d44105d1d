import { spread } from '../measure/statistics.ts';
import { type Figure, ratio, reached } from './figure.ts';
import type { Machine } from './machine.ts';

/** A line of the results file. */
export interface Result extends Figure {
  readonly suite: string;
  readonly date: string;
  readonly machine: Machine;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** One line of JSON, with what readers would work out anyhow: medians, quartiles, ratio. */
export function toJsonLine(result: Result): string {
  const of = ratio(result);
  const derived = { ...spread(result.values), ...(of && { ratio: of }), reached: reached(result) };
  return `${JSON.stringify({ ...result, ...derived })}\n`;
}

export function fromJsonLines(text: string): Result[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Result);
}
