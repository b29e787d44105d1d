import { useEffect, useRef, useState } from 'preact/hooks';
import { type Child, parentOf, ROOT, readChildren } from './requests.ts';

/** The members of a container that are known so far. */
interface Branch {
  readonly children: readonly Child[];
  readonly cursor: string | undefined;
  readonly isLoading: boolean;
  readonly error?: unknown;
}

/** A line of the tree. */
export type TreeRow =
  | { readonly type: 'resource'; readonly child: Child; readonly level: number; readonly isExpanded: boolean }
  | { readonly type: 'more' | 'loading' | 'empty'; readonly container: string; readonly level: number }
  | {
      readonly type: 'error';
      readonly container: string;
      readonly level: number;
      readonly error: unknown;
    };

export interface Tree {
  readonly rows: readonly TreeRow[];
  readonly toggle: (path: string, isExpanded: boolean) => void;
  readonly loadMore: (container: string) => void;
  /** Opens a container, and reads its members anew. */
  readonly reload: (container: string) => void;
}

const none: Branch = { children: [], cursor: undefined, isLoading: true };

/** The containers from the root on, whose members are read when they are expanded. */
export function useTree(base: string, selected: string): Tree {
  const [branches, setBranches] = useState<ReadonlyMap<string, Branch>>(new Map());
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const isMounted = useRef(true);
  const update = (path: string, change: (branch: Branch) => Branch) =>
    setBranches((before) => new Map(before).set(path, change(before.get(path) ?? none)));
  const load = async (path: string, cursor?: string) => {
    update(path, (branch) => ({
      ...(cursor === undefined ? none : branch),
      isLoading: true,
      error: undefined,
    }));
    try {
      const page = await readChildren({ base, path }, cursor);
      if (!isMounted.current) return;
      update(path, ({ children: before }) => {
        const children = cursor === undefined ? page.children : [...before, ...page.children];
        return { children, cursor: page.cursor, isLoading: false };
      });
    } catch (error) {
      update(path, (branch) => ({ ...branch, isLoading: false, error }));
    }
  };
  const toggle = (path: string, isExpanded: boolean) => {
    const next = new Set(expanded);
    if (isExpanded) next.add(path);
    else next.delete(path);
    setExpanded(next);
    if (isExpanded && !branches.has(path)) void load(path);
  };
  useEffect(() => {
    // What is selected is in view, also if its address was opened.
    const closed = ancestorsOf(selected).filter((path) => !expanded.has(path));
    if (closed.length > 0) setExpanded(new Set([...expanded, ...closed]));
    for (const path of closed) if (!branches.has(path)) void load(path);
  }, [selected]);
  useEffect(
    () => () => {
      isMounted.current = false;
    },
    [],
  );
  return {
    rows: rowsBelow({ path: ROOT, kind: 'container' }, { branches, expanded, selected }, 1),
    toggle,
    loadMore: (path) => {
      const branch = branches.get(path);
      if (!branch?.isLoading) void load(path, branch?.cursor);
    },
    reload: (path) => {
      setExpanded((before) => new Set(before).add(path));
      void load(path);
    },
  };
}

interface State {
  readonly branches: ReadonlyMap<string, Branch>;
  readonly expanded: ReadonlySet<string>;
  readonly selected: string;
}

function rowsBelow(child: Child, state: State, level: number): TreeRow[] {
  const container = child.path;
  const isExpanded = state.expanded.has(container);
  const row: TreeRow = { type: 'resource', child, level, isExpanded };
  if (!isExpanded) return [row];
  const { children, cursor, isLoading, error } = state.branches.get(container) ?? none;
  const below = level + 1;
  const rows = withSelected(children, container, state.selected).flatMap((each) =>
    rowsBelow(each, state, below),
  );
  if (error !== undefined) rows.push({ type: 'error', container, level: below, error });
  else if (isLoading) rows.push({ type: 'loading', container, level: below });
  else if (cursor !== undefined) rows.push({ type: 'more', container, level: below });
  else if (rows.length === 0) rows.push({ type: 'empty', container, level: below });
  return [row, ...rows];
}

/** The way to the selected resource is there, also if it leads through members not yet read. */
function withSelected(children: readonly Child[], container: string, selected: string): readonly Child[] {
  if (!selected.startsWith(`${container}/`)) return children;
  const end = selected.indexOf('/', container.length + 1);
  const path = end < 0 ? selected : selected.slice(0, end);
  if (children.some((child) => child.path === path)) return children;
  return [...children, { path, kind: end < 0 ? 'rdf' : 'container' }];
}

/** The containers that are open where a resource is selected, from the root on. */
function ancestorsOf(path: string): string[] {
  const parent = parentOf(path);
  return path === ROOT || parent === ROOT ? [ROOT] : [...ancestorsOf(parent), parent];
}
