import { type DumpQuad, lineOf } from './dump.ts';
import type { Home } from './home.ts';
import type { Report } from './report.ts';
import type { LdpFacts, Survey } from './survey.ts';
import { isRefusal, type Refusal, reasonOf, type TargetServer } from './target-server.ts';

const LDP = 'http://www.w3.org/ns/ldp#';
const N_TRIPLES = 'application/n-triples';
/** Characters of the bodies of all RDF sources, which are in memory until they are sent. */
const MAX_BODIES = 256 * 1024 * 1024;

interface LdpImportParts {
  readonly server: TargetServer;
  readonly base: string;
  readonly home: Home | undefined;
  readonly report: Report;
}

/** Creates the resources of Marmotta's `/ldp` under the same URIs. */
export class LdpImport {
  readonly #parts: LdpImportParts;
  readonly #resources: ReadonlyMap<string, LdpFacts>;
  /** RDF sources that describe a binary, with that binary. */
  readonly #described: ReadonlyMap<string, string>;
  readonly #bodies = new Map<string, DumpQuad[]>();
  #size = 0;

  /** Throws if all resources are below another base than that of the server. */
  constructor(survey: Survey, parts: LdpImportParts) {
    const root = `${parts.base}/ldp`;
    const all = [...survey.resources].filter(([uri]) => uri !== root);
    const isContained = ([uri, { container }]: readonly [string, LdpFacts]) =>
      container !== undefined && !uri.startsWith(`${root}/`);
    const foreign = all.filter(isContained).map(([uri]) => uri);
    this.#parts = parts;
    this.#resources = new Map(all.filter(([uri]) => uri.startsWith(`${root}/`)));
    if (foreign[0] !== undefined && this.#resources.size === 0)
      throw new Error(otherBase(foreign[0], parts.base));
    for (const uri of foreign) parts.report.add('skipped', `LDP resources that are not below ${root}`, uri);
    this.#described = new Map(
      all.flatMap(([uri, { description }]) => (description === undefined ? [] : [[description, uri]])),
    );
  }

  /**
   * Takes a quad of a graph in the space of `/ldp`, where only LDP resources have graphs. Returns
   * false for another one.
   */
  takes(quad: DumpQuad): boolean {
    const uri = quad.graph?.slice(1, -1) ?? '';
    const root = `${this.#parts.base}/ldp`;
    if (uri !== root && !uri.startsWith(`${root}/`)) return false;
    if (!this.#resources.has(uri)) {
      this.#parts.report.add('skipped', 'triples in graphs below /ldp that are no LDP resources', uri);
      return true;
    }
    this.#size += lineOf(quad).length;
    if (this.#size > MAX_BODIES)
      throw new Error(`the resources below /ldp have more than 256 MiB of triples`);
    const body = this.#bodies.get(uri);
    if (body) body.push(quad);
    else this.#bodies.set(uri, [quad]);
    return true;
  }

  /** Creates what is not there yet. */
  async create(): Promise<void> {
    // A container is created before what it contains.
    for (const [uri, facts] of [...this.#resources].sort(([x], [y]) => x.length - y.length)) {
      if (this.#described.has(uri)) continue;
      this.#reportContainer(uri, facts);
      const isThere = facts.isBinary
        ? await this.#createBinary(uri, facts)
        : await this.#createSource(uri, facts);
      const source = facts.isBinary ? facts.description : uri;
      const { length = 0 } = this.#bodies.get(source ?? uri) ?? [];
      if (!isThere && length > 0) this.#parts.report.add('skipped', LEFT_TRIPLES, source, length);
    }
  }

  #reportContainer(uri: string, { container }: LdpFacts): void {
    const parent = uri.slice(0, uri.lastIndexOf('/'));
    if (container === undefined || container === parent) return;
    this.#parts.report.add('changed', 'containers of LDP resources, which are where the URI says', uri);
  }

  async #createSource(uri: string, { isContainer }: LdpFacts): Promise<boolean> {
    const kind = isContainer ? 'LDP containers' : 'LDP RDF sources';
    const model = isContainer ? 'BasicContainer' : 'RDFSource';
    const outcome = await this.#parts.server.upload(this.#pathOf(uri), {
      method: 'PUT',
      type: N_TRIPLES,
      body: this.#bodyOf(uri),
      headers: { 'If-None-Match': '*', Link: `<${LDP}${model}>; rel="type"` },
    });
    return this.#note(kind, uri, outcome);
  }

  async #createBinary(uri: string, { format, description }: LdpFacts): Promise<boolean> {
    const file = await this.#parts.home?.binaryFile(uri);
    if (file === undefined) {
      this.#parts.report.add('skipped', 'LDP binaries whose files are not below --home', uri);
      return false;
    }
    const type = format ?? 'application/octet-stream';
    const headers = { Link: `<${LDP}NonRDFSource>; rel="type"` };
    const outcome = await this.#parts.server.uploadFile(this.#pathOf(uri), file, type, headers);
    if (!this.#note('LDP binaries', uri, outcome)) return false;
    if (description !== undefined) await this.#describe(uri, description);
    return true;
  }

  /** Marmotta's description of `X.png` is `X`; here it is `X.png.meta`. */
  async #describe(binary: string, description: string): Promise<void> {
    const { server, report } = this.#parts;
    const uri = `${binary}.meta`;
    report.add('changed', 'descriptions of LDP binaries, which have another URI', `${description} is ${uri}`);
    const body = this.#bodyOf(description);
    if (body === '') return;
    const there = await server.read(`/context?graph=${encodeURIComponent(uri)}`, N_TRIPLES);
    if (there) return report.add('present', 'descriptions of LDP binaries', uri);
    const tag = await server.tag(this.#pathOf(uri), N_TRIPLES);
    const headers = { 'If-Match': tag };
    const outcome = await server.upload(this.#pathOf(uri), { method: 'PUT', type: N_TRIPLES, body, headers });
    this.#note('descriptions of LDP binaries', uri, outcome);
  }

  /** Returns whether the resource is on the server now. */
  #note(kind: string, uri: string, outcome: boolean | Refusal): boolean {
    const { report } = this.#parts;
    if (isRefusal(outcome))
      report.add('skipped', `${kind} that the server refuses`, `${uri}: ${reasonOf(outcome)}`);
    else report.add(outcome ? 'imported' : 'present', kind, uri);
    if (outcome === true) report.add('changed', DATES);
    return !isRefusal(outcome);
  }

  #bodyOf(uri: string): string {
    return (this.#bodies.get(uri) ?? []).map((quad) => `${lineOf(quad)}\n`).join('');
  }

  #pathOf(uri: string): string {
    return uri.slice(this.#parts.base.length);
  }
}

const LEFT_TRIPLES = 'triples of LDP resources that were skipped';
const DATES = 'LDP resources, whose dates are those of the import';

function otherBase(uri: string, base: string): string {
  const marmotta = uri.includes('/ldp/') ? uri.slice(0, uri.indexOf('/ldp/')) : uri;
  return `the dump has LDP resources such as ${uri}, but the base of the server is ${base}: start it with --base ${marmotta}. Nothing was sent.`;
}
