import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ListedGraph } from '../../../../src/library/client/entry.ts';
import { addressOf, replaceAddress, usePlace } from '../../app/location.ts';
import { Problem } from '../../components/problem.tsx';
import { VirtualTable } from '../../components/virtual-table.tsx';
import { graphPages, MAX_GRAPHS } from './graph-pages.ts';

type Order = 'name' | 'label' | 'size';

const orders: readonly { readonly order: Order; readonly title: string }[] = [
  { order: 'name', title: 'Name' },
  { order: 'label', title: 'Label' },
  { order: 'size', title: 'Size, largest first' },
];

const columns = [
  { title: 'Graph' },
  { title: 'Label', width: '30%' },
  { title: 'Triples', width: '7rem', numeric: true },
];

/** All graphs, with a filter. */
export function GraphList() {
  const { state } = usePlace();
  const { graphs, isComplete, error } = useGraphs();
  const [filter, setFilter] = useState(state.get('filter') ?? '');
  const [order, setOrder] = useState<Order>(orderNamed(state.get('order')));
  useEffect(() => {
    const timer = setTimeout(() => replaceAddress(addressOf('browse', {}, stateOf(filter, order))), 300);
    return () => clearTimeout(timer);
  }, [filter, order]);
  const shown = useMemo(() => selected(graphs, filter, order), [graphs, filter, order]);
  return (
    <>
      <h2>Graphs</h2>
      <div class="browse-controls">
        <label>
          Filter
          <input
            type="search"
            placeholder="Part of a name or label"
            value={filter}
            onInput={({ currentTarget: { value } }) => setFilter(value)}
          />
        </label>
        <label>
          Sort by
          <select value={order} onChange={({ currentTarget: { value } }) => setOrder(orderNamed(value))}>
            {orders.map(({ order: name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </div>
      <p role="status" class="hint">
        {describe(graphs, shown, isComplete)}
      </p>
      {error !== undefined && <Problem error={error} />}
      <VirtualTable
        label="Graphs"
        columns={columns}
        rowCount={shown.length}
        cellsOf={(row) => cellsOf(shown[row]!)}
      />
    </>
  );
}

function cellsOf({ uri, label, size }: ListedGraph) {
  return [
    <a key="uri" href={addressOf('browse', { graph: uri })} title={uri}>
      {uri}
    </a>,
    label,
    <span key="size" class="count">
      {size.toLocaleString('en')}
    </span>,
  ];
}

interface Listing {
  readonly graphs: readonly ListedGraph[];
  readonly isComplete: boolean;
  readonly error?: unknown;
}

function useGraphs(): Listing {
  const [listing, setListing] = useState<Listing>({ graphs: [], isComplete: false });
  useEffect(() => {
    const controller = new AbortController();
    const read = async () => {
      let graphs: ListedGraph[] = [];
      for await (const page of graphPages(controller.signal)) {
        graphs = graphs.concat(page);
        setListing({ graphs, isComplete: false });
      }
      setListing({ graphs, isComplete: true });
    };
    read().catch((error: unknown) => {
      if (!controller.signal.aborted) setListing((before) => ({ ...before, isComplete: true, error }));
    });
    return () => controller.abort();
  }, []);
  return listing;
}

function selected(graphs: readonly ListedGraph[], filter: string, order: Order): readonly ListedGraph[] {
  const part = filter.trim().toLowerCase();
  const found =
    part === ''
      ? graphs
      : graphs.filter(
          ({ uri, label }) => uri.toLowerCase().includes(part) || label.toLowerCase().includes(part),
        );
  if (order === 'size') return found.toSorted((a, b) => b.size - a.size);
  if (order === 'label') return found.toSorted((a, b) => compare(a.label, b.label));
  return found;
}

const { compare } = new Intl.Collator();

function describe(
  graphs: readonly ListedGraph[],
  shown: readonly ListedGraph[],
  isComplete: boolean,
): string {
  const triples = graphs.reduce((sum, { size }) => sum + size, 0).toLocaleString('en');
  const all = `${graphs.length.toLocaleString('en')} graphs with ${triples} triples`;
  const part = shown.length === graphs.length ? '' : `${shown.length.toLocaleString('en')} of `;
  if (!isComplete) return `${part}${all}, loading…`;
  return graphs.length >= MAX_GRAPHS ? `${part}${all}. The others are not listed.` : `${part}${all}`;
}

function orderNamed(name: string | null): Order {
  return orders.find(({ order }) => order === name)?.order ?? 'name';
}

function stateOf(filter: string, order: Order): Record<string, string> {
  return { ...(filter !== '' && { filter }), ...(order !== 'name' && { order }) };
}
