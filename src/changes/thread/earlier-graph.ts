import { graphTermOf } from '../../rdf/model/graph-name.ts';
import { parseTerm } from '../../rdf/model/term.ts';
import { SYSTEM_GRAPH } from '../../snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { PREFIXES } from '../../store/registry/graph-prefixes.ts';
import type { EarlierGraph, GraphRequest } from '../messages.ts';
import { type ChangedGraphs, type Commit, type Commits, positionGone } from './commit-source.ts';
import { type RowCursor, termOf } from './row-cursor.ts';
import { RowTable } from './row-table.ts';

/** The memory of the terms is held as long as a client reads the graph. */
const TERM_BYTES_MAX = 2 ** 24;
/** The most rows that are read, those of other graphs included; a commit without rows is one. */
const READ_MAX = 2 ** 22;
const SYSTEM_TERM = Buffer.from(`<${SYSTEM_GRAPH}>`);

/**
 * Returns how a graph was after a commit, or `too-many` if that would be too much to read. Errors:
 * `position-gone`, `data-damaged`.
 */
export async function readEarlierGraph(
  commits: Commits,
  { graph, commit, until, maxQuads }: GraphRequest,
  snapshot: SnapshotReader,
): Promise<EarlierGraph | 'too-many'> {
  const oldest = await commits.oldest(snapshot);
  if (commit < oldest) throw positionGone(commit, oldest);
  const reading = new GraphReading(graph, maxQuads);
  let time: number | null = null;
  // That commit itself is read for its time, if it is kept.
  for await (const each of commits.withGraphsAfter(Math.max(commit - 1, oldest), snapshot)) {
    if (each.sequence <= commit) time = each.time;
    else if (!(await reading.take(each))) return 'too-many';
    if (each.sequence >= Math.max(commit, until)) break;
  }
  return reading.finish(time);
}

/** Collects what commits change in one graph. */
class GraphReading {
  readonly #name: string;
  readonly #term: Buffer;
  readonly #rows: RowTable;
  #read = 0;
  #existed: boolean | null = null;
  #prefixes: string | null = null;

  constructor(graph: string, quads: number) {
    this.#name = graph;
    this.#term = Buffer.from(graphTermOf(graph));
    this.#rows = new RowTable({ quads, termBytes: TERM_BYTES_MAX });
  }

  /** Takes the next commit; returns false if it is too much. */
  async take(commit: Commit): Promise<boolean> {
    const graphs = await commit.graphs();
    this.#read++;
    let firstAdds: boolean | undefined;
    for await (const rows of commit.rows()) {
      while (rows.next()) {
        if (++this.#read > READ_MAX) return false;
        if (hasGraph(rows, SYSTEM_TERM)) this.#takePrefixes(rows);
        if (!hasGraph(rows, this.#term)) continue;
        firstAdds ??= !rows.removed;
        if (!this.#rows.add(rows)) return false;
      }
    }
    this.#existed ??= existedBefore(this.#name, graphs, firstAdds);
    return this.#read <= READ_MAX;
  }

  finish(time: number | null): EarlierGraph | 'too-many' {
    const rows = this.#rows.finish();
    if (rows === 'too-many') return rows;
    return { time, rows, existed: this.#existed, prefixes: this.#prefixes };
  }

  /** A graph has one row with prefixes, which the first change removes if there was one. */
  #takePrefixes(row: RowCursor): void {
    if (this.#prefixes !== null || !hasTerm(row, 0, this.#term) || termOf(row, 1) !== PREFIXES) return;
    this.#prefixes = row.removed ? parseTerm(termOf(row, 2)).value : '';
  }
}

/**
 * Whether a graph existed before a commit; null if that does not tell.
 *
 * @param firstAdds whether its first row in the graph adds a triple; undefined if it has none
 */
function existedBefore(
  graph: string,
  changed: ChangedGraphs | undefined,
  firstAdds: boolean | undefined,
): boolean | null {
  // The ring does not tell of empty graphs: they count as absent.
  if (!changed) return firstAdds === undefined ? null : !firstAdds;
  if (changed.created.includes(graph)) return false;
  // A transaction can create a graph and drop it again.
  return changed.dropped.includes(graph) ? firstAdds !== true : null;
}

function hasGraph(row: RowCursor, term: Uint8Array): boolean {
  return hasTerm(row, 3, term);
}

function hasTerm({ bytes, bounds }: RowCursor, column: number, term: Uint8Array): boolean {
  const [from, to] = [bounds[2 * column]!, bounds[2 * column + 1]!];
  if (to - from !== term.length) return false;
  // Names differ at their ends more often than at their beginnings.
  for (let i = term.length - 1; i >= 0; i--) if (bytes[from + i] !== term[i]) return false;
  return true;
}
