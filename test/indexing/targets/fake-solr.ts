import type { IncomingMessage } from 'node:http';
import type { Answer } from './fake-search-server.ts';

type Document = Readonly<Record<string, unknown>>;

/** Answers like a core of Apache Solr, as far as documents are written to it. */
export class FakeSolr {
  readonly documents = new Map<string, Document>();

  answer(request: IncomingMessage, url: URL, body: string): Answer {
    if (url.pathname === '/get') {
      return { status: 200, body: { doc: this.documents.get(url.searchParams.get('id')!) ?? null } };
    }
    if (request.method !== 'POST' || url.pathname !== '/update') return { status: 404, body: {} };
    // A command may occur more than once in the object, which JSON.parse would not show.
    for (const [, name, json] of body.matchAll(/[{,]"(add|delete)":(\{.*?\})(?=,"add":|,"delete":|\}$)/g)) {
      this.#run(name!, JSON.parse(json!) as Command);
    }
    return { status: 200, body: { responseHeader: { status: 0 } } };
  }

  #run(name: string, { doc, id, query }: Command): void {
    if (name === 'add') this.documents.set(String(doc!['id']), doc!);
    else if (id !== undefined) this.documents.delete(id);
    else this.#deleteOthers(query!);
  }

  #deleteOthers(query: string): void {
    const [, program, run] = /^pathpool_program_s:"(.*)" AND -pathpool_run_s:"(.*)"$/.exec(query)!;
    for (const [id, document] of this.documents) {
      if (document['pathpool_program_s'] !== program || document['pathpool_run_s'] === run) continue;
      this.documents.delete(id);
    }
  }
}

interface Command {
  readonly doc?: Document;
  readonly id?: string;
  readonly query?: string;
}
