import { spread } from '../measure/statistics.ts';
import { type Figure, ratio, reached, type Skipped } from './figure.ts';
import { shown } from './text.ts';

const HEAD = `| figure | median | quartiles | reference | ratio | quartiles | goal |
|---|---|---|---|---|---|---|
`;

export function markdownTable(figures: readonly Figure[], skipped: readonly Skipped[] = []): string {
  const rows = figures.map((figure) => `${row(cells(figure, '**missed**'))}\n`);
  const words = skipped.map(({ id, reason }) => `\n${id} was left out: ${reason}`);
  return HEAD + rows.join('') + words.join('') + (words.length > 0 ? '\n' : '');
}

/** Returns a row of the table. `missed`: what it says of a goal that is not reached. */
export function cells(figure: Figure, missed: string): string[] {
  const { name, unit, values, reference, note } = figure;
  const { median, low, high } = spread(values);
  const of = ratio(figure);
  return [
    note ? `${name} (${note})` : name,
    `${shown(median)} ${unit}`,
    `${shown(low)}-${shown(high)}`,
    reference ? `${reference.name}: ${shown(spread(reference.values).median)} ${unit}` : '',
    of ? shown(of.median) : '',
    of ? `${shown(of.low)}-${shown(of.high)}` : '',
    goalText(figure, missed),
  ];
}

function goalText(figure: Figure, missed: string): string {
  const { goal, better, unit } = figure;
  if (!goal) return '';
  const bound = goal.of === 'value' ? `${shown(goal.bound)} ${unit}` : shown(goal.bound);
  return `${bound} or ${better}${reached(figure) === false ? `: ${missed}` : ''}`;
}

function row(texts: readonly string[]): string {
  return `| ${texts.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
}
