import type { IncomingMessage } from 'node:http';
import type { Answer } from './fake-search-server.ts';

type Document = Readonly<Record<string, unknown>>;

interface DeleteOthers {
  readonly query: {
    readonly bool: {
      readonly must: readonly [{ readonly term: { readonly pathpool_program: string } }];
      readonly must_not: readonly [{ readonly term: { readonly pathpool_run: string } }];
    };
  };
}

const OK = { status: 200, body: { acknowledged: true } };

/** Answers like an index of OpenSearch at `/documents`, as far as documents are written to it. */
export class FakeOpenSearch {
  readonly documents = new Map<string, Document>();
  /** How many removals fail, with nothing removed. */
  failingRemovals = 0;
  #mapping: { readonly _meta?: unknown } | undefined;

  answer(request: IncomingMessage, url: URL, body: string): Answer {
    const route = `${request.method} ${url.pathname}`;
    if (route === 'PUT /documents') {
      if (this.#mapping) return { status: 400, body: { error: 'resource_already_exists_exception' } };
      this.#mapping = {};
      return OK;
    }
    if (!this.#mapping) return { status: 404, body: { error: 'index_not_found_exception' } };
    switch (route) {
      case 'GET /documents/_mapping':
        return { status: 200, body: { documents: { mappings: this.#mapping } } };
      case 'PUT /documents/_mapping':
        this.#mapping = { ...this.#mapping, ...(JSON.parse(body) as object) };
        return OK;
      case 'POST /documents/_bulk':
        return { status: 200, body: this.#bulk(body) };
      case 'POST /documents/_delete_by_query':
        if (this.failingRemovals-- > 0) {
          return { status: 200, body: { deleted: 0, failures: [{ cause: { reason: 'on purpose' } }] } };
        }
        this.#deleteOthers(JSON.parse(body) as DeleteOthers);
        return OK;
      case 'POST /documents/_refresh':
        return OK;
      default:
        return { status: 405, body: {} };
    }
  }

  #bulk(body: string): object {
    const lines = body.trimEnd().split('\n');
    const items: object[] = [];
    for (let i = 0; i < lines.length; i++) {
      const action = JSON.parse(lines[i]!) as { index?: { _id: string }; delete?: { _id: string } };
      if (action.delete) this.documents.delete(action.delete._id);
      else this.documents.set(action.index!._id, JSON.parse(lines[++i]!) as Document);
      items.push({ index: { status: 200, ...action.index, ...action.delete } });
    }
    return { errors: false, items };
  }

  #deleteOthers({ query }: DeleteOthers): void {
    const { pathpool_program: program } = query.bool.must[0].term;
    const { pathpool_run: run } = query.bool.must_not[0].term;
    for (const [id, document] of this.documents) {
      if (document['pathpool_program'] !== program || document['pathpool_run'] === run) continue;
      this.documents.delete(id);
    }
  }
}
