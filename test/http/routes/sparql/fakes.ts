import { type ErrorData, failure } from '../../../../src/errors.ts';
import { sparqlRoutes } from '../../../../src/http/routes/sparql/routes.ts';
import type { SparqlQueries, SparqlUpdates } from '../../../../src/http/routes/sparql/services.ts';
import type { HttpResponse } from '../../../../src/http/server/message.ts';
import { Router } from '../../../../src/http/server/router.ts';
import type { SparqlQuery, SparqlUpdate } from '../../../../src/sparql/request.ts';
import { type FakeRequestOptions, fakeRequest } from '../../fake-request.ts';

export const base = 'https://data.example.org/store';
export const FORM = 'application/x-www-form-urlencoded';
export const QUERY = 'application/sparql-query';
export const UPDATE = 'application/sparql-update';

/** Services that note what they are asked. */
export class FakeSparql {
  sequence = 7;
  /** Commits that come in while a query waits. */
  meanwhile = 0;
  queryError: ErrorData | undefined;
  /** Media types that can't represent the result. */
  unwritable: readonly string[] = [];
  updateError: ErrorData | undefined;
  readonly asked: SparqlQuery[] = [];
  readonly updated: SparqlUpdate[] = [];
  readonly router: Router;

  constructor(defaultGraph: 'union' | 'default' = 'union') {
    const services = { queries: this.#queries(), updates: this.#updates() };
    const options = { base, defaultGraph, run: 'c', maxQuery: 1000, maxUpdate: 2000 };
    this.router = new Router(sparqlRoutes(services, options));
  }

  async ask(method: string, target: string, options: FakeRequestOptions = {}): Promise<HttpResponse> {
    return this.router.handle(fakeRequest(method, target, options));
  }

  post(
    target: string,
    type: string,
    body: string,
    headers: Record<string, string> = {},
  ): Promise<HttpResponse> {
    return this.ask('POST', target, { headers: { 'Content-Type': type, ...headers }, body });
  }

  #queries(): SparqlQueries {
    const fake = this;
    return {
      get sequence() {
        return fake.sequence;
      },
      state: (sequence) => `s${sequence}`,
      async query(query) {
        fake.asked.push(query);
        if (fake.queryError) return { ok: false, error: fake.queryError };
        if (fake.unwritable.includes(query.mediaType))
          return failure('not-acceptable', 'It cannot hold U+0001.');
        fake.sequence += fake.meanwhile;
        return { ok: true, value: { sequence: fake.sequence, body: Buffer.from('result') } };
      },
    };
  }

  #updates(): SparqlUpdates {
    return {
      update: async (update) => {
        this.updated.push(update);
        if (this.updateError) return { ok: false, error: this.updateError };
        return { ok: true, value: { sequence: ++this.sequence, added: 1, removed: 0 } };
      },
    };
  }
}

export function target(
  path: string,
  parameters: Record<string, string> | readonly [string, string][],
): string {
  return `${path}?${new URLSearchParams(parameters as Record<string, string>)}`;
}

export const { error: forbidden } = failure('forbidden', 'These credentials allow reading only.');
