import { type DumpQuad, hasBlankNode, lineOf } from './dump.ts';
import type { Report } from './report.ts';
import { isRefusal, reasonOf, type TargetServer } from './target-server.ts';

/** Characters of a request; the server accepts 64 MiB by default. */
const CHUNK = 4 * 1024 * 1024;
/** All triples with blank nodes go in one request, so that a node stays one node. */
const MAX_BLANK = 32 * 1024 * 1024;
const TRIG = 'application/trig';
const N_TRIPLES = 'application/n-triples';
/** The graph of statements that name none. */
const UNNAMED = '';

type Lines = Map<string, string[]>;

/** Sends ordinary triples to the data set of the server, with prefixes for their graphs. */
export class DataSender {
  readonly #server: TargetServer;
  readonly #report: Report;
  readonly #head: string;
  #chunk: Lines = new Map();
  #size = 0;
  readonly #blank: Lines = new Map();
  #blankSize = 0;

  constructor(server: TargetServer, report: Report, prefixes: ReadonlyMap<string, string>) {
    this.#server = server;
    this.#report = report;
    this.#head = [...prefixes].map(([name, namespace]) => `@prefix ${name}: <${namespace}> .\n`).join('');
  }

  async add(quad: DumpQuad): Promise<void> {
    const line = lineOf(quad);
    const graph = quad.graph ?? UNNAMED;
    if (hasBlankNode(quad)) {
      put(this.#blank, graph, line);
      this.#blankSize += line.length;
      if (this.#blankSize > MAX_BLANK) throw new Error(TOO_MANY_BLANK);
      return;
    }
    put(this.#chunk, graph, line);
    this.#size += line.length;
    if (this.#size >= CHUNK) await this.#flush();
  }

  /** Sends what is left, and at last the triples with blank nodes that are not there yet. */
  async end(): Promise<void> {
    await this.#flush();
    for (const [graph, lines] of this.#blank) {
      if (!(await this.#isPresent(graph, lines))) continue;
      this.#blank.delete(graph);
      this.#report.add('present', 'triples with blank nodes', namedGraph(graph), lines.length);
    }
    await this.#send(this.#blank);
  }

  async #flush(): Promise<void> {
    const chunk = this.#chunk;
    this.#chunk = new Map();
    this.#size = 0;
    await this.#send(chunk);
  }

  async #send(lines: Lines): Promise<void> {
    if (lines.size === 0) return;
    const groups = [...lines].map(([graph, each]) => {
      const body = each.join('\n');
      return graph === UNNAMED ? `${body}\n` : `${graph} {\n${body}\n}\n`;
    });
    const body = this.#head + groups.join('');
    const outcome = await this.#server.upload('/dataset', { method: 'POST', type: TRIG, body });
    if (isRefusal(outcome)) throw new Error(`the server refused triples of the dump: ${reasonOf(outcome)}`);
    for (const [graph, { length }] of lines)
      this.#report.add('imported', 'triples', namedGraph(graph), length);
  }

  /**
   * Whether the graph has all of these triples already, as far as can be seen without the labels
   * of blank nodes. Sent again, they would be new nodes.
   */
  async #isPresent(graph: string, lines: readonly string[]): Promise<boolean> {
    const target = graph === UNNAMED ? 'default' : `graph=${encodeURIComponent(graph.slice(1, -1))}`;
    const missing = new Map<string, number>();
    for (const line of lines) count(missing, withoutLabels(line), 1);
    for await (const line of this.#server.lines(`/context?${target}`, N_TRIPLES)) {
      const shape = withoutLabels(line);
      if (missing.has(shape)) count(missing, shape, -1);
      if (missing.size === 0) return true;
    }
    return false;
  }
}

function count(counts: Map<string, number>, key: string, change: number): void {
  const sum = (counts.get(key) ?? 0) + change;
  if (sum === 0) counts.delete(key);
  else counts.set(key, sum);
}

const TOO_MANY_BLANK =
  'the dump has more than 32 MiB of triples with blank nodes, which must be sent together: load it with "pathpool load" first, and repeat this command with --skip-data';

function put(lines: Lines, graph: string, line: string): void {
  const group = lines.get(graph);
  if (group) group.push(line);
  else lines.set(graph, [line]);
}

function namedGraph(graph: string): string {
  return graph === UNNAMED ? 'the default context' : graph.slice(1, -1);
}

/** Predicates are IRIs, so a blank node is at the beginning, or behind the second space. */
function withoutLabels(line: string): string {
  return line.replace(
    /^(_:\S+|<[^>]*>) (<[^>]*>) (_:\S+)?/,
    (_, subject: string, predicate: string, object) => {
      const start = subject.startsWith('_:') ? '_:' : subject;
      return `${start} ${predicate} ${object === undefined ? '' : '_:'}`;
    },
  );
}
