/**
 * `pathpool/ldpath`: the path language as a library, over graphs in ordinary memory. It loads
 * neither the server nor Oxigraph, and starts no thread.
 */

import { IndexedGraph, type TextQuad } from '../../ldpath/evaluate/indexed-graph.ts';
import { allFunctions } from '../../ldpath/functions/catalog.ts';
import type { LdPathFunction } from '../../ldpath/functions/function.ts';
import type { PathGraph } from '../../rdf/model/path-graph.ts';
import type { QuadLike } from './rdf-terms.ts';
import { canonicalText } from './read-terms.ts';

export { LdPathError, type LdPathErrorCode, type LdPathErrorDetails } from '../../ldpath/errors.ts';
export { type Budget, defaultBudget } from '../../ldpath/evaluate/budget.ts';
export type { NodeObject } from '../../ldpath/evaluate/node-object.ts';
export type * as syntax from '../../ldpath/syntax/ast.ts';
export type { PathGraph, TermBytes } from '../../rdf/model/path-graph.ts';
export {
  type CompilerWarning,
  LdPath,
  type LdPathOptions,
  type Path,
  type Program,
  type ProgramDetails,
  type Skipped,
  type Start,
} from './ld-path.ts';
export type {
  BlankNode,
  DefaultGraph,
  Literal,
  NamedNode,
  QuadLike,
  Term,
  TermLike,
  Triple,
} from './rdf-terms.ts';
export { RdfTermError } from './read-terms.ts';

/** A function of the language, for readers. */
export interface FunctionDescription {
  /** Local name in the `fn` namespace. */
  readonly name: string;
  /** How to call it: `fn:concat(nodes : NodeList) : String`. */
  readonly signature: string;
  /** One sentence. */
  readonly description: string;
}

/** All functions, sorted by name. */
export const functions: readonly FunctionDescription[] = allFunctions.map(
  ({ name, signature, description }: LdPathFunction) => ({ name, signature, description }),
);

/**
 * Indexes the quads of a dataset (any `DatasetCore` of RDF/JS, such as a `Store` of N3.js, or an
 * array) for evaluation. Later changes of the dataset do not show. Paths read the union of all its
 * graphs, and programs with `@graph` those that they name.
 *
 * @throws RdfTermError
 */
export function indexGraph(quads: Iterable<QuadLike>): PathGraph {
  return IndexedGraph.of(textQuads(quads));
}

function* textQuads(quads: Iterable<QuadLike>): Generator<TextQuad> {
  for (const { subject, predicate, object, graph } of quads) {
    yield {
      subject: canonicalText(subject),
      predicate: canonicalText(predicate),
      object: canonicalText(object),
      ...(graph.termType !== 'DefaultGraph' && { graph: canonicalText(graph) }),
    };
  }
}
