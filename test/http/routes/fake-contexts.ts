import type { ErrorData } from '../../../src/errors.ts';
import type { Contexts } from '../../../src/http/routes/contexts/service.ts';
import type { ContextInfo, ListOptions } from '../../../src/services/contexts/contexts.ts';
import type { RdfPayload } from '../../../src/services/rdf-payload.ts';
import type { GraphPrecondition } from '../../../src/store/main/transaction.ts';

export const base = 'https://data.example.org/store';
export const G = 'http://example.org/g1';
const modified = Date.UTC(2026, 0, 1, 12, 0, 0);

interface Written {
  readonly kind: string;
  readonly graph: string;
  readonly payload: RdfPayload;
  readonly precondition: GraphPrecondition | undefined;
}

/** A context service over a table of graphs that notes what it is asked. */
export class FakeContexts implements Contexts {
  readonly defaultGraph = `${base}/context/default`;
  readonly ldpSpace = `${base}/ldp`;
  readonly graphs = new Map<string, number>([[G, 3]]);
  readonly written: Written[] = [];
  readonly reads: string[] = [];
  readonly removed: string[] = [];
  listed: ListOptions | undefined;
  listError: Awaited<ReturnType<Contexts['list']>> | undefined;
  forbidden: ErrorData | undefined;
  writeError: ErrorData | undefined;
  payloadSize = 2;

  info(name: string): ContextInfo | undefined {
    const size = this.graphs.get(name) ?? (name === this.defaultGraph ? 0 : undefined);
    return size === undefined ? undefined : { name, size, state: 's1', modified };
  }

  denial(): ErrorData | undefined {
    return this.forbidden?.code === 'writes-disabled' ? this.forbidden : undefined;
  }

  writable(): ErrorData | undefined {
    return this.forbidden;
  }

  read: Contexts['read'] = (graph, mediaType) => {
    this.reads.push(`${graph} ${mediaType}`);
    return Promise.resolve({ ok: true, value: Buffer.from('document') });
  };

  write: Contexts['write'] = ({ kind, graph, payloads, precondition }) => {
    if (this.forbidden) return Promise.resolve({ ok: false, error: this.forbidden });
    if (payloads.length === 0) {
      return Promise.resolve({ ok: true, value: { created: false, added: 0, size: 0, payloadSize: 0 } });
    }
    for (const payload of payloads) this.written.push({ kind, graph, payload, precondition });
    if (this.writeError) return Promise.resolve({ ok: false, error: this.writeError });
    const created = !this.graphs.has(graph);
    this.graphs.set(graph, 5);
    return Promise.resolve({
      ok: true,
      value: { created, added: 2, size: 5, payloadSize: this.payloadSize },
    });
  };

  remove: Contexts['remove'] = (graph) => {
    this.removed.push(graph);
    this.graphs.delete(graph);
    return Promise.resolve({ ok: true, value: undefined });
  };

  list: Contexts['list'] = (options) => {
    this.listed = options;
    const entries = options.labels ? [{ uri: G, label: 'g1', size: 3 }] : [this.defaultGraph, G];
    return Promise.resolve(this.listError ?? { ok: true, value: Buffer.from(JSON.stringify(entries)) });
  };
}
