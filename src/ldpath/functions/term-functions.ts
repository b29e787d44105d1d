/** Functions for parts of terms, and for the triples of a node (ldpath 8.5). */

import { isIri } from '../../rdf/model/iri.ts';
import { RDF, type Term } from '../../rdf/model/term.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { EvaluationContext } from '../evaluate/context.ts';
import { subjects } from './argument.ts';
import type { SelectorFunction } from './function.ts';

/** A function with at most one result per node: the term made by `part`, none for null. */
function eachTerm(
  name: string,
  description: string,
  part: (context: EvaluationContext, term: Term) => TermId | null,
): SelectorFunction {
  return {
    kind: 'selector',
    name,
    signature: `fn:${name}([nodes : NodeList]) : NodeList`,
    description,
    minArguments: 0,
    maxArguments: 1,
    evaluate: (context, args, node, into) => {
      const list = subjects(args, 0, node);
      for (const id of list) {
        const term = context.term(id);
        context.read(term.value);
        const found = part(context, term);
        if (found !== null) into.push(found);
      }
    },
  };
}

const str = eachTerm('str', 'Returns the string value of each node.', (context, term) =>
  context.literal(term.value),
);

const lang = eachTerm('lang', 'Returns the language of each literal that has one.', (context, term) =>
  term.kind === 'literal' && term.language !== '' ? context.literal(term.language) : null,
);

const datatype = eachTerm('datatype', 'Returns the datatype of each literal.', (context, term) =>
  term.kind === 'literal' ? context.intern(`<${term.datatype}>`) : null,
);

const iri = eachTerm('iri', 'Converts each string that is an absolute IRI to an IRI.', (context, term) => {
  if (term.kind !== 'blank' && isIri(term.value)) return context.intern(`<${term.value}>`);
  context.warn(`fn:iri skipped ${term.value}, which is not an absolute IRI`);
  return null;
});

const local = eachTerm(
  'local',
  'Returns the part of each IRI after its last "#", "/" or ":".',
  (context, term) => (term.kind === 'iri' ? context.literal(localPart(term.value)) : null),
);

function localPart(iri: string): string {
  return iri.slice(Math.max(...['#', '/', ':'].map((separator) => iri.lastIndexOf(separator))) + 1);
}

const predicates: SelectorFunction = {
  kind: 'selector',
  name: 'predicates',
  signature: 'fn:predicates([nodes : NodeList]) : NodeList',
  description: 'Returns the properties of the nodes, without duplicates.',
  minArguments: 0,
  maxArguments: 1,
  evaluate: (context, args, node, into) => {
    const found: TermId[] = [];
    for (const id of subjects(args, 0, node)) {
      context.work(1);
      context.graph.predicates(id, found);
    }
    for (const id of new Set(found)) into.push(context.predicateNode(id));
  },
};

const types: SelectorFunction = {
  kind: 'selector',
  name: 'types',
  signature: 'fn:types([nodes : NodeList]) : NodeList',
  description: 'Returns the classes of the nodes, without duplicates.',
  minArguments: 0,
  maxArguments: 1,
  evaluate: (context, args, node, into) => {
    const type = context.graph.find(`<${RDF}type>`);
    const found: TermId[] = [];
    for (const id of subjects(args, 0, node)) {
      context.work(1);
      context.graph.objects(id, type, found);
    }
    for (const id of new Set(found)) into.push(id);
  },
};

export const termFunctions: readonly SelectorFunction[] = [
  str,
  lang,
  datatype,
  iri,
  local,
  predicates,
  types,
];
