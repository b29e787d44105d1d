import { useEffect, useRef, useState } from 'preact/hooks';
import { problemText } from '../../components/problem.tsx';
import { type Kind, nameOf, ROOT } from './requests.ts';
import type { Tree, TreeRow } from './tree-state.ts';

interface ContainerTreeProps {
  readonly tree: Tree;
  /** The path of the resource that is shown. */
  readonly selected: string;
  readonly onSelect: (path: string) => void;
}

const kinds: Readonly<Record<Kind, string>> = {
  container: 'container',
  rdf: 'RDF source',
  binary: 'binary',
};

/** A tree as in the ARIA Authoring Practices, with one stop of the Tab key. */
export function ContainerTree({ tree, selected, onSelect }: ContainerTreeProps) {
  const { rows, toggle, loadMore } = tree;
  const list = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState(selected);
  const wantsFocus = useRef(false);
  const current = Math.max(
    rows.findIndex((row) => keyOf(row) === focused),
    0,
  );
  const focusRow = (index: number) => {
    const row = rows[Math.min(Math.max(index, 0), rows.length - 1)];
    if (!row) return;
    wantsFocus.current = true;
    setFocused(keyOf(row));
  };
  useEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [focused]);
  const activate = (row: TreeRow) => {
    setFocused(keyOf(row));
    if (row.type === 'more' || row.type === 'error') loadMore(row.container);
    if (row.type !== 'resource') return;
    if (row.child.kind === 'container' && !row.isExpanded) toggle(row.child.path, true);
    onSelect(row.child.path);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[current];
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    const action = actionsOf(row)[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  const actionsOf = (row: TreeRow): Record<string, () => void> => {
    const isContainer = row.type === 'resource' && row.child.kind === 'container';
    const isOpen = isContainer && row.isExpanded;
    return {
      ArrowDown: () => focusRow(current + 1),
      ArrowUp: () => focusRow(current - 1),
      Home: () => focusRow(0),
      End: () => focusRow(rows.length - 1),
      Enter: () => activate(row),
      ' ': () => activate(row),
      ArrowRight: () => {
        if (isOpen) focusRow(current + 1);
        else if (isContainer) toggle(row.child.path, true);
      },
      ArrowLeft: () => {
        if (isOpen) toggle(row.child.path, false);
        else focusRow(rows.findLastIndex(({ level }, i) => i < current && level < row.level));
      },
    };
  };
  return (
    <div class="container-tree" role="tree" aria-label="Containers" ref={list} onKeyDown={onKeyDown}>
      {rows.map((row, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles keys
        <div
          key={keyOf(row)}
          role="treeitem"
          aria-level={row.level}
          aria-expanded={
            row.type === 'resource' && row.child.kind === 'container' ? row.isExpanded : undefined
          }
          aria-selected={row.type === 'resource' && row.child.path === selected}
          tabIndex={i === current ? 0 : -1}
          class={`tree-${row.type}`}
          style={{ paddingInlineStart: `${row.level * 1.1 - 0.8}rem` }}
          onClick={() => activate(row)}
        >
          {row.type === 'resource' ? (
            <>
              <Marker row={row} onToggle={() => toggle(row.child.path, !row.isExpanded)} />
              <span class="tree-name">{row.child.path === ROOT ? 'ldp' : nameOf(row.child.path)}</span>
              {row.child.kind !== 'container' && <span class="hint"> {kinds[row.child.kind]}</span>}
            </>
          ) : (
            textOf(row)
          )}
        </div>
      ))}
    </div>
  );
}

interface MarkerProps {
  readonly row: TreeRow & { readonly type: 'resource' };
  readonly onToggle: () => void;
}

/** For the mouse: keys expand the item itself. */
function Marker({ row, onToggle }: MarkerProps) {
  if (row.child.kind !== 'container') return <span class="tree-marker" />;
  return (
    <span
      class="tree-marker"
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      {row.isExpanded ? '▾' : '▸'}
    </span>
  );
}

function keyOf(row: TreeRow): string {
  return row.type === 'resource' ? row.child.path : `${row.container} ${row.type}`;
}

function textOf(row: TreeRow): string {
  if (row.type === 'more') return 'More…';
  if (row.type === 'loading') return 'Loading…';
  return row.type === 'error' ? `${problemText(row.error)} Try again.` : 'Empty';
}
