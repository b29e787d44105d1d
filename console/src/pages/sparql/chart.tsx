import { useMemo } from 'preact/hooks';
import { type Prefixes, usePrefixes } from '../../resources/prefixes.ts';
import { numberOf, type Solutions } from './solutions.ts';

/** Bars that can still be told apart. */
const MAX_BARS = 200;
/** Rows in which a column must have a number to count as numeric. */
const SAMPLE_ROWS = 50;

interface Bar {
  readonly label: string;
  readonly value: number;
}

/** A bar for each row: the first column of numbers, by the first other column. */
export function Chart({ solutions }: { readonly solutions: Solutions }) {
  const prefixes = usePrefixes();
  const numeric = useMemo(() => numericColumn(solutions), [solutions]);
  if (numeric === undefined) {
    return <p>There is nothing to plot: no column of the result has numbers, as those of COUNT are.</p>;
  }
  const { variables } = solutions;
  const named = variables.findIndex((_, column) => column !== numeric);
  const bars = barsOf(solutions, { numeric, named, prefixes });
  const low = Math.min(0, ...bars.map(({ value }) => value));
  const high = Math.max(0, ...bars.map(({ value }) => value));
  const share = (value: number) => `${(100 * value) / (high - low || 1)}%`;
  return (
    <table class="bar-chart">
      <caption>
        {variables[numeric]} by {variables[named] ?? 'row'}
        {solutions.count > MAX_BARS && ` (the first ${MAX_BARS} of ${solutions.count} rows)`}
      </caption>
      <thead>
        <tr>
          <th scope="col">{variables[named] ?? 'row'}</th>
          <th scope="col" class="number">
            {variables[numeric]}
          </th>
          <td />
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, value }, row) => (
          <tr key={row}>
            <th scope="row" title={label}>
              {label}
            </th>
            <td class="number">{value.toLocaleString('en')}</td>
            <td>
              <div
                class="bar"
                style={{ marginLeft: share(Math.min(value, 0) - low), width: share(Math.abs(value)) }}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The first column whose values are numbers in the first rows. */
function numericColumn(solutions: Solutions): number | undefined {
  const rows = Array.from({ length: Math.min(SAMPLE_ROWS, solutions.count) }, (_, row) => solutions.row(row));
  const found = solutions.variables.findIndex((_, column) => {
    const bound = rows.map((row) => row[column]).filter((term) => term !== undefined);
    return bound.length > 0 && bound.every((term) => numberOf(term) !== undefined);
  });
  return found < 0 ? undefined : found;
}

interface Choice {
  readonly numeric: number;
  /** -1: there is no other column. */
  readonly named: number;
  readonly prefixes: Prefixes;
}

function barsOf(solutions: Solutions, { numeric, named, prefixes }: Choice): Bar[] {
  return Array.from({ length: Math.min(MAX_BARS, solutions.count) }, (_, row) => {
    const terms = solutions.row(row);
    const term = terms[named];
    const name = term?.kind === 'iri' ? prefixes.shorten(term.value) : term?.value;
    const value = numberOf(terms[numeric]) ?? 0;
    return { label: name ?? `${row + 1}`, value: Number.isFinite(value) ? value : 0 };
  });
}
