/** What a server has that requests can be made of. */
import { seededRandom } from '../data/person-data.ts';

export interface GraphSize {
  readonly uri: string;
  readonly size: number;
}

const STARTS = 10_000;
/** Of a graph that start resources are looked for in. */
const READ_BYTES = 64 * 2 ** 20;
/** Triples of a graph that is read whole in one request. */
const MIDDLE_SIZE = 10_000;

/** A connection to the server outside of the load. */
export class Client {
  readonly url: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, authorization: string | undefined) {
    this.url = url;
    this.#headers = authorization === undefined ? {} : { Authorization: authorization };
  }

  async request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...this.#headers, ...(init.headers as Record<string, string> | undefined) };
    return fetch(this.url + path, { redirect: 'manual', ...init, headers }).catch((error: Error) => {
      const cause = error.cause instanceof Error ? error.cause.message : error.message;
      throw new Error(`${this.url} can't be reached: ${cause}`, { cause: error });
    });
  }
}

/** The visible graphs that hold triples, biggest first. */
export async function graphsOf(client: Client): Promise<GraphSize[]> {
  const response = await client.request('/context/list?labels');
  const text = await response.text();
  if (!response.ok) throw new Error(`${client.url}/context/list answered ${response.status}: ${text}`);
  const graphs = listOf(text, client.url);
  return graphs.filter(({ size }) => size > 0).sort((a, b) => b.size - a.size);
}

function listOf(text: string, url: string): GraphSize[] {
  try {
    return JSON.parse(text) as GraphSize[];
  } catch (error) {
    throw new Error(`${url} is not a Pathpool server: its /context/list is not JSON.`, { cause: error });
  }
}

/** The biggest graph that is not too big to be read again and again, else the smallest. */
export function graphToRead(graphs: readonly GraphSize[]): string | undefined {
  return (graphs.find(({ size }) => size <= MIDDLE_SIZE) ?? graphs.at(-1))?.uri;
}

/**
 * Returns IRIs that are subjects, sampled evenly from the part read of the largest graphs; the same
 * ones each time.
 */
export async function sampleStarts(client: Client, graphs: readonly GraphSize[]): Promise<string[]> {
  const sample = new Sample(STARTS);
  let left = READ_BYTES;
  for (const { uri } of graphs) {
    if (left <= 0) break;
    left -= await readSubjects(client, uri, left, (subject) => sample.offer(subject));
  }
  return sample.values;
}

/** Gives the bytes that were read. */
async function readSubjects(
  client: Client,
  graph: string,
  most: number,
  use: (subject: string) => void,
): Promise<number> {
  const response = await client.request(`/context?graph=${encodeURIComponent(graph)}&format=nt`);
  if (!response.ok || !response.body) throw new Error(`Graph ${graph} can't be read: ${response.status}`);
  let bytes = 0;
  let rest = '';
  let last = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body) {
    bytes += (chunk as Uint8Array).length;
    const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const subject = /^<([^>]+)>/.exec(line)?.[1];
      // The triples of a subject come together.
      if (subject !== undefined && subject !== last) use(unescaped(subject));
      last = subject ?? '';
    }
    if (bytes >= most) break;
  }
  return bytes;
}

function unescaped(iri: string): string {
  return iri.replace(/\\u([0-9A-F]{4})|\\U([0-9A-F]{8})/gi, (_, four?: string, eight?: string) =>
    String.fromCodePoint(Number.parseInt(four ?? eight ?? '', 16)),
  );
}

/** A number of values drawn evenly from all that are offered (reservoir sampling), by a seed. */
export class Sample {
  readonly values: string[] = [];
  readonly #size: number;
  readonly #random = seededRandom(11);
  #offered = 0;

  constructor(size: number) {
    this.#size = size;
  }

  offer(value: string): void {
    this.#offered++;
    if (this.values.length < this.#size) {
      this.values.push(value);
      return;
    }
    const place = Math.floor(this.#random() * this.#offered);
    if (place < this.#size) this.values[place] = value;
  }
}
