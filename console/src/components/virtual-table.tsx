import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

interface Column {
  readonly title: string;
  /** CSS length; by default columns share the width. */
  readonly width?: string;
  /** Whether its values are numbers, which end below one another. */
  readonly numeric?: boolean;
  /** Makes the title a button. */
  readonly sorting?: Sorting;
}

interface Sorting {
  /** Undefined if the rows are not sorted by this column. */
  readonly direction: 'ascending' | 'descending' | undefined;
  readonly onSort: () => void;
}

interface VirtualTableProps {
  /** What the table shows, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rowCount: number;
  /** Returns the cells of a row, one for each column. */
  readonly cellsOf: (row: number) => readonly ComponentChildren[];
}

/** Pixels. All rows have one height, so that the table knows which of them are in view. */
const ROW_HEIGHT = 30;
/** Rows beyond the view, so that scrolling shows no gaps. */
const OVERSCAN = 10;
/** In rem. A table with many columns scrolls sideways. */
const MIN_COLUMN_WIDTH = 7;

/** A table of which only the rows in view exist in the document, so that it may have any number. */
export function VirtualTable({ label, columns, rowCount, cellsOf }: VirtualTableProps) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  useEffect(() => {
    const element = box.current!;
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);
  const first = Math.max(0, Math.floor(view.top / ROW_HEIGHT) - OVERSCAN);
  const end = Math.min(rowCount, Math.ceil((view.top + view.height) / ROW_HEIGHT) + OVERSCAN);
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse it scrolls only when focused
    <section class="virtual-table" ref={box} aria-label={label} tabIndex={0}>
      <table
        aria-label={label}
        aria-rowcount={rowCount + 1}
        style={{ minWidth: `${columns.length * MIN_COLUMN_WIDTH}rem` }}
      >
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Heading key={column.title} {...column} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer rows={first} />
          {rows.map((row) => (
            <tr key={row} aria-rowindex={row + 2} style={{ height: `${ROW_HEIGHT}px` }}>
              {cellsOf(row).map((cell, i) => (
                <td key={columns[i]?.title}>{cell}</td>
              ))}
            </tr>
          ))}
          <Spacer rows={rowCount - end} />
        </tbody>
      </table>
    </section>
  );
}

function Heading({ title, width, numeric, sorting }: Column) {
  if (!sorting) {
    return (
      <th scope="col" class={numeric ? 'number' : undefined} style={{ width }}>
        {title}
      </th>
    );
  }
  const arrow = { ascending: ' ↑', descending: ' ↓', none: '' }[sorting.direction ?? 'none'];
  return (
    <th scope="col" style={{ width }} aria-sort={sorting.direction ?? 'none'}>
      <button type="button" class="quiet" onClick={sorting.onSort}>
        {title}
        <span aria-hidden="true">{arrow}</span>
      </button>
    </th>
  );
}

/** Takes the place of rows that are out of view. */
function Spacer({ rows }: { readonly rows: number }) {
  return rows > 0 ? <tr style={{ height: `${rows * ROW_HEIGHT}px` }} /> : null;
}
