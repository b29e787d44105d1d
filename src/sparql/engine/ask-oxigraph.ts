import { AppError } from '../../errors.ts';
import { release } from '../../rdf/oxigraph/terms.ts';
import type { SparqlInstance } from '../instance.ts';
import type { Dataset } from './dataset.ts';

type Store = import('oxigraph').Store;
type QueryOptions = NonNullable<Parameters<Store['query']>[1]>;
type Freed = import('oxigraph').NamedNode | import('oxigraph').DefaultGraph;

/** A query to be evaluated by Oxigraph. */
export interface Question {
  readonly text: string;
  /** Undefined if the text declares it. */
  readonly baseIri: string | undefined;
  /** Undefined if the text declares it. */
  readonly dataset: Dataset | undefined;
  readonly format: string;
}

/** Returns the result in the requested format. Errors: Oxigraph's own, `unsupported-sparql`. */
export function askOxigraph(
  { oxigraph, isMerged }: Pick<SparqlInstance, 'oxigraph' | 'isMerged'>,
  store: Store,
  question: Question,
): string {
  const { text, baseIri: base_iri, format: results_format, dataset } = question;
  const terms: Freed[] = [];
  const noted = <T extends Freed>(term: T): T => {
    terms.push(term);
    return term;
  };
  const named = (graphs: readonly string[]) => graphs.map((graph) => noted(namedNode(oxigraph, graph)));
  // Options override the names in the text. They are set one by one, because spreading is slower.
  const options: QueryOptions = { results_format };
  try {
    if (base_iri !== undefined) options.base_iri = base_iri;
    if (dataset?.named) options.named_graphs = named(dataset.named);
    if (dataset && dataset.default !== 'union') options.default_graph = named(dataset.default);
    else if (dataset && isMerged) options.default_graph = noted(oxigraph.defaultGraph());
    else if (dataset) options.use_default_graph_as_union = true;
    return String(store.query(text, options));
  } finally {
    release(...terms);
  }
}

/** Throws `unsupported-sparql` if an IRI of the data is not valid for Oxigraph. */
function namedNode(oxigraph: SparqlInstance['oxigraph'], iri: string): import('oxigraph').NamedNode {
  try {
    return oxigraph.namedNode(iri);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new AppError('unsupported-sparql', `SPARQL can't name the graph <${iri}>: ${error.message}.`);
  }
}
