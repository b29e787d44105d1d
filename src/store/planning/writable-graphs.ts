import { type GraphAccess, newNameDenial, type Restricted, writeDenial } from '../../base/graph-access.ts';
import { fromErrorData, noSuchGraph } from '../../errors.ts';
import { graphNameOf } from '../../rdf/model/graph-name.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';

/** The graphs that a client may change (http-api G-162). */
export class WritableGraphs {
  readonly #reader: SnapshotReader;
  readonly #client: Restricted;
  readonly #checked = new Set<TermId>();

  /** `access`: undefined if the client may write all graphs. */
  constructor(reader: SnapshotReader, access: GraphAccess | undefined) {
    this.#reader = reader;
    this.#client = { access };
  }

  /** Throws `forbidden`, or `graph-not-found` if the client does not even see the graph. */
  require(graph: TermId): void {
    if (this.#client.access === undefined || this.#checked.has(graph)) return;
    this.requireName(graphNameOf(this.#reader.text(graph)));
    this.#checked.add(graph);
  }

  requireName(name: string): void {
    const denied = writeDenial(this.#client, name, noSuchGraph(name).error);
    if (denied) throw fromErrorData(denied);
  }

  /** Throws `forbidden` for a name that the request does not ask about, hidden or not. */
  requireOther(name: string): void {
    const denied = newNameDenial(this.#client, name);
    if (denied) throw fromErrorData(denied);
  }
}
