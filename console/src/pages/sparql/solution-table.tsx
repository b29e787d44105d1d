import { useMemo, useState } from 'preact/hooks';
import { VirtualTable } from '../../components/virtual-table.tsx';
import { pageOf } from '../../resources/address.ts';
import { usePrefixes } from '../../resources/prefixes.ts';
import type { Order, Solutions, Term } from './solutions.ts';

/** The rows of a result, which can be sorted by a column. */
export function SolutionTable({ solutions }: { readonly solutions: Solutions }) {
  const [order, setOrder] = useState<Order>();
  const rows = useMemo(() => order && solutions.sorted(order), [solutions, order]);
  const sortBy = (column: number) => setOrder(nextOrder(order, column));
  return (
    <VirtualTable
      label="Solutions"
      columns={solutions.variables.map((title, column) => ({
        title,
        sorting: {
          direction: order?.column === column ? order.direction : undefined,
          onSort: () => sortBy(column),
        },
      }))}
      rowCount={solutions.count}
      cellsOf={(row) =>
        solutions.row(rows ? rows[row]! : row).map((term, column) => <Cell key={column} term={term} />)
      }
    />
  );
}

/** Ascending, descending, and then the order of the result. */
function nextOrder(order: Order | undefined, column: number): Order | undefined {
  if (order?.column !== column) return { column, direction: 'ascending' };
  return order.direction === 'ascending' ? { column, direction: 'descending' } : undefined;
}

/** Characters in a cell, and of what appears under the pointer. */
const MAX_SHOWN = 300;
const MAX_TITLE = 3000;

function Cell({ term }: { readonly term: Term | undefined }) {
  const prefixes = usePrefixes();
  if (!term) return null;
  const { kind, value } = term;
  if (kind === 'iri') {
    return (
      <a href={pageOf(value)} title={value.slice(0, MAX_TITLE)}>
        {prefixes.shorten(value).slice(0, MAX_SHOWN)}
      </a>
    );
  }
  if (kind !== 'literal') return <code title={value.slice(0, MAX_TITLE)}>{value.slice(0, MAX_SHOWN)}</code>;
  const { language, datatype } = term;
  return (
    <span title={value.slice(0, MAX_TITLE)}>
      <bdi>{value.slice(0, MAX_SHOWN)}</bdi>
      {language && <span class="hint"> @{language}</span>}
      {datatype && <span class="hint"> {prefixes.shorten(datatype)}</span>}
    </span>
  );
}
