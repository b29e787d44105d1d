import { type DumpNotes, type DumpQuad, quadsIn } from './dump.ts';
import type { Home } from './home.ts';
import type { Report } from './report.ts';

const LDP = 'http://www.w3.org/ns/ldp#';
/** The context in which Marmotta keeps what it knows about LDP resources. */
const LDP_CONTEXT = `<${LDP}>`;
const TYPE = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';
const FORMAT = '<http://purl.org/dc/terms/format>';
const FORMAT_OF = '<http://purl.org/dc/terms/isFormatOf>';
const CONTENT_PATH = '<http://www.kiwi-project.eu/kiwi/core/hasContentPath>';

/** What Marmotta's LDP context says about a resource. URIs are without angle brackets. */
export interface LdpFacts {
  isContainer: boolean;
  isBinary: boolean;
  /** Media type of a binary. */
  format: string | undefined;
  /** The RDF source that describes a binary. */
  description: string | undefined;
  /** The container that contains it. */
  container: string | undefined;
}

/** What a first reading of all dumps finds, so that a second one knows where each quad belongs. */
export class Survey {
  readonly resources = new Map<string, LdpFacts>();
  /** The files of content outside of `/ldp`, by the URIs of their resources. */
  readonly contents = new Map<string, string>();
  /** Those that the files declare. */
  readonly prefixes = new Map<string, string>();
  readonly #graphs = new Set<string>();
  readonly #home: Home | undefined;
  readonly #report: Report;

  /** Errors: those of `quadsIn`. */
  static async of(files: readonly string[], home: Home | undefined, parts: Parts): Promise<Survey> {
    const survey = new Survey(home, parts.report);
    const prefix = (name: string, namespace: string) => survey.prefixes.set(name, namespace);
    for await (const quad of quadsIn(files, { progress: parts.progress, prefix })) await survey.#add(quad);
    parts.report.add('imported', 'contexts of the dump', undefined, survey.#graphs.size);
    return survey;
  }

  private constructor(home: Home | undefined, report: Report) {
    this.#home = home;
    this.#report = report;
  }

  /** Whether the quad is not data, but what Marmotta noted for itself and was understood here. */
  isNote({ subject, predicate, graph }: DumpQuad): boolean {
    if (graph === LDP_CONTEXT) return true;
    return predicate === CONTENT_PATH && this.contents.has(iriIn(subject));
  }

  async #add(quad: DumpQuad): Promise<void> {
    if (quad.graph === LDP_CONTEXT) this.#addFact(quad);
    else this.#graphs.add(quad.graph ?? '');
    if (quad.predicate === CONTENT_PATH) await this.#addContent(quad);
    if (quad.graph?.endsWith('/context/inferred>')) {
      this.#report.add('changed', 'inferred triples, which nothing keeps up to date here');
    }
  }

  #addFact({ subject, predicate, object }: DumpQuad): void {
    if (predicate === `<${LDP}used>`) {
      const why = 'deleted LDP resources, whose URIs can be used again here';
      this.#report.add('skipped', why, iriIn(object));
      return;
    }
    if (predicate === `<${LDP}contains>`) {
      this.#factsOf(object).container = iriIn(subject);
      return;
    }
    const facts = this.#factsOf(subject);
    if (predicate === TYPE && object === `<${LDP}Container>`) facts.isContainer = true;
    if (predicate === TYPE && object === `<${LDP}NonRDFSource>`) facts.isBinary = true;
    if (predicate === FORMAT) facts.format = /^"(.*)"/.exec(object)?.[1];
    if (predicate === FORMAT_OF) facts.description = iriIn(object);
  }

  #factsOf(term: string): LdpFacts {
    const uri = iriIn(term);
    const known = this.resources.get(uri);
    if (known) return known;
    const facts: LdpFacts = {
      isContainer: false,
      isBinary: false,
      format: undefined,
      description: undefined,
      container: undefined,
    };
    this.resources.set(uri, facts);
    return facts;
  }

  async #addContent({ subject, object }: DumpQuad): Promise<void> {
    const resource = iriIn(subject);
    const path = /^"(.*)"/.exec(object)?.[1]?.replaceAll('\\\\', '\\') ?? '';
    const file = await this.#home?.contentFile(path);
    if (file !== undefined) this.contents.set(resource, file);
    else this.#report.add('skipped', 'contents whose files are not below --home', `${resource} (${path})`);
  }
}

export interface Parts {
  readonly report: Report;
  readonly progress: DumpNotes['progress'];
}

function iriIn(term: string): string {
  return term.startsWith('<') ? term.slice(1, -1) : term;
}
