import type { Book, Known, Model } from './book.ts';

export type Step =
  | { readonly act: 'post'; readonly at: number; readonly model: Model; readonly slug: string }
  | { readonly act: 'put'; readonly at: number; readonly stale: boolean }
  | { readonly act: 'patch'; readonly at: number }
  | { readonly act: 'delete'; readonly at: number };

export const EX = 'http://example.org/ns#';
const LDP = 'http://www.w3.org/ns/ldp#';
const PRIMARY_TOPIC = 'http://xmlns.com/foaf/0.1/primaryTopic';

const typeOf: Readonly<Record<Model, string>> = {
  'rdf-source': 'RDFSource',
  basic: 'BasicContainer',
  direct: 'DirectContainer',
  indirect: 'IndirectContainer',
  binary: 'NonRDFSource',
};

const configurations: Readonly<Partial<Record<Model, string>>> = {
  direct: `<> <${LDP}hasMemberRelation> <${EX}has> .`,
  indirect: `<> <${LDP}hasMemberRelation> <${EX}has> ; <${LDP}insertedContentRelation> <${PRIMARY_TOPIC}> .`,
};

/** An answer that no client should ever get. */
export class Unexpected extends Error {}

/** The connection failed before the whole answer was there. */
export class Unanswered extends Error {}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** One client: does its steps one after another, and writes down what was acknowledged. */
export class Client {
  readonly #name: string;
  readonly #book: Book;
  /** Where requests for a URI of the book go. */
  readonly #address: (uri: string) => string;
  #values = 0;

  constructor(name: string, book: Book, address: (uri: string) => string) {
    this.#name = name;
    this.#book = book;
    this.#address = address;
  }

  /** Ends early when the server, once it `mayBeGone`, leaves a request unanswered. */
  async run(steps: readonly Step[], mayBeGone: () => boolean): Promise<void> {
    try {
      for (const step of steps) await this.#take(step);
    } catch (error) {
      if (!(error instanceof Unanswered && mayBeGone())) throw error;
    }
  }

  #take(step: Step): Promise<void> {
    if (step.act === 'post') return this.#post(this.#book.pickContainer(step.at), step.model, step.slug);
    const target = this.#book.pick(step.at);
    if (!target) return Promise.resolve();
    if (step.act === 'put') return this.#put(target, step.stale);
    return step.act === 'patch' ? this.#patch(target) : this.#delete(target);
  }

  async #post(container: string, model: Model, slug: string): Promise<void> {
    const topic = model === 'binary' ? null : `${EX}topic-${slug}`;
    const value = this.#newValue();
    const turtle = `<> <${EX}value> "${value}" ; <${EX}counter> 0 ; <${PRIMARY_TOPIC}> <${topic}> .
      ${configurations[model] ?? ''}`;
    const headers = {
      'Content-Type': model === 'binary' ? 'image/png' : 'text/turtle',
      Link: `<${LDP}${typeOf[model]}>; rel="type"`,
      Slug: slug,
    };
    const body = model === 'binary' ? `bytes ${value}` : turtle;
    const response = await this.#send(container, 'POST', headers, body).catch((error: unknown) => {
      this.#book.lostCreations++;
      throw error;
    });
    if (response.status === 201) {
      this.#book.add(response.headers.get('location') ?? '', model, container, topic);
    } else {
      expectStatus(response, 'POST', [404, 410]);
    }
  }

  /** Reads, replaces the value, and writes on condition that nobody else did meanwhile. */
  async #put(target: Known, stale: boolean): Promise<void> {
    if (target.model === 'binary') return;
    const read = await this.#send(target.uri, 'GET', { Accept: 'application/n-triples' });
    const text = read.text;
    if (read.status !== 200) return expectStatus(read, 'GET', [410]);
    const old = valueIn(text);
    const value = this.#newValue();
    const headers = {
      'Content-Type': 'application/n-triples',
      'If-Match': stale ? '"never-there"' : (read.headers.get('etag') ?? ''),
    };
    const sent = this.#send(target.uri, 'PUT', headers, text.replace(`"${old}"`, `"${value}"`));
    const response = await sent.catch((error: unknown) => {
      target.unanswered.set(value, old);
      throw error;
    });
    if (response.status === 200 && !stale) target.replaced.set(value, old);
    else expectStatus(response, 'PUT', stale ? [412, 410] : [412, 410]);
  }

  async #patch(target: Known): Promise<void> {
    const update = `DELETE { <> <${EX}counter> ?n } INSERT { <> <${EX}counter> ?m }
      WHERE { <> <${EX}counter> ?n BIND(?n + 1 AS ?m) }`;
    const headers = { 'Content-Type': 'application/sparql-update' };
    const response = await this.#send(target.uri, 'PATCH', headers, update).catch((error: unknown) => {
      target.countedMaybe++;
      throw error;
    });
    if (response.status === 204) target.counted++;
    else expectStatus(response, 'PATCH', target.model === 'binary' ? [405, 410] : [410, 503]);
  }

  async #delete(target: Known): Promise<void> {
    const response = await this.#send(target.uri, 'DELETE', {}).catch((error: unknown) => {
      if (target.deleted === 'no') target.deleted = 'maybe';
      throw error;
    });
    if (response.status === 204) {
      if (target.deleted === 'yes') throw new Unexpected(`${target.uri} was deleted twice.`);
      target.deleted = 'yes';
    } else {
      expectStatus(response, 'DELETE', [409, 410]);
    }
  }

  /** @throws Unanswered */
  async #send(
    uri: string,
    method: string,
    headers: Record<string, string>,
    body: string | null = null,
  ): Promise<Answer> {
    const address = this.#address(uri);
    try {
      const response = await fetch(address, { method, headers, body });
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (cause) {
      throw new Unanswered(`${method} ${uri}`, { cause });
    }
  }

  #newValue(): string {
    return `${this.#name}-${this.#values++}`;
  }
}

/** The `ex:value` of an N-Triples document. */
export function valueIn(text: string): string {
  return new RegExp(`<${EX}value> "([^"]*)"`).exec(text)?.[1] ?? '';
}

/** The `ex:counter` of an N-Triples document. */
export function counterIn(text: string): number {
  return Number(new RegExp(`<${EX}counter> "([^"]*)"`).exec(text)?.[1]);
}

function expectStatus(response: Answer, what: string, expected: readonly number[]): void {
  if (!expected.includes(response.status)) throw new Unexpected(`${what} was answered ${response.status}.`);
}
