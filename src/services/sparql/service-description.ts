import { serializeRdf } from '../../rdf/formats/serialize-quads.ts';
import { formats } from '../../rdf/media-types/media-types.ts';
import { ArenaTerms } from '../../rdf/model/arena-terms.ts';
import type { QuadCursor } from '../../rdf/model/quad-cursor.ts';
import { RDF } from '../../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { resultsFormats } from '../../sparql/results/formats.ts';

export interface DescribedEndpoint {
  /** The URL of the endpoint. */
  readonly endpoint: string;
  readonly defaultGraph: 'union' | 'default';
  readonly takesUpdates: boolean;
}

type Triple = readonly [subject: string, predicate: string, object: string];

const SD = 'http://www.w3.org/ns/sparql-service-description#';
const TYPE = `<${RDF}type>`;
const W3C_FORMATS = 'http://www.w3.org/ns/formats/';

/** The W3C's IRIs of RDF formats, by media type. */
const formatIris: Readonly<Record<string, string>> = {
  'text/turtle': 'Turtle',
  'application/ld+json': 'JSON-LD',
  'application/n-triples': 'N-Triples',
  'application/rdf+xml': 'RDF_XML',
  'text/n3': 'N3',
  'application/n-quads': 'N-Quads',
  'application/trig': 'TriG',
  'application/rdf+json': 'RDF_JSON',
};

/** Serialises the SPARQL 1.1 Service Description of the endpoint in an RDF format. */
export function describeSparqlService(endpoint: DescribedEndpoint, mediaType: string): Uint8Array {
  return Buffer.concat([...serializeRdf(new TripleCursor(triplesOf(endpoint)), { mediaType })]);
}

/** Triples with the same subject, and those with the same predicate, are adjacent. */
function triplesOf({ endpoint, defaultGraph, takesUpdates }: DescribedEndpoint): Triple[] {
  const service = `<${endpoint}>`;
  const says = (name: string, ...objects: readonly string[]) =>
    objects.map((object): Triple => [service, `<${SD}${name}>`, object]);
  const isUnion = defaultGraph === 'union';
  return [
    [service, TYPE, `<${SD}Service>`],
    ...says('endpoint', service),
    ...says('supportedLanguage', `<${SD}SPARQL11Query>`, ...(takesUpdates ? [`<${SD}SPARQL11Update>`] : [])),
    ...(isUnion ? says('feature', `<${SD}UnionDefaultGraph>`) : []),
    ...says('resultFormat', ...resultsFormats.map(({ iri }) => `<${iri}>`), ...graphFormats()),
    ...says('defaultEntailmentRegime', '<http://www.w3.org/ns/entailment/Simple>'),
    ...says('defaultDataset', '_:dataset'),
    ['_:dataset', TYPE, `<${SD}Dataset>`],
    ['_:dataset', `<${SD}defaultGraph>`, '_:graph'],
    ['_:graph', TYPE, `<${SD}Graph>`],
  ];
}

function graphFormats(): string[] {
  return formats.map(({ mediaType }) => `<${W3C_FORMATS}${formatIris[mediaType]}>`);
}

/** A cursor over triples whose terms are in canonical N-Triples form. */
class TripleCursor implements QuadCursor {
  readonly terms: QuadCursor['terms'];
  readonly graph = NO_TERM;
  subject: TermId = NO_TERM;
  predicate: TermId = NO_TERM;
  object: TermId = NO_TERM;
  readonly #triples: readonly Triple[];
  readonly #ids: ReadonlyMap<string, TermId>;
  #at = 0;

  constructor(triples: readonly Triple[]) {
    const texts = ['', ...new Set(triples.flat())];
    this.#triples = triples;
    this.#ids = new Map(texts.map((text, id) => [text, id]));
    this.terms = new ArenaTerms(texts);
  }

  next(): boolean {
    const triple = this.#triples[this.#at++];
    if (!triple) return false;
    [this.subject, this.predicate, this.object] = triple.map((text) => this.#ids.get(text)!) as [
      TermId,
      TermId,
      TermId,
    ];
    return true;
  }
}
