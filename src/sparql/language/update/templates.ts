import type {
  BasicGraphPattern,
  PatternBgp,
  Quads,
  Term,
  TermIri,
  TermLiteral,
  TermVariable,
  TripleCollection,
  TripleNesting,
} from '@traqula/rules-sparql-1-1';
import { formatLiteral, XSD_STRING } from '../../../rdf/model/term.ts';
import { type DeclaredNames, placeOf } from './declared-names.ts';
import type { TemplateQuad, TemplateTerm } from './operations.ts';

/** The formats that could write such a tag reject it, too. */
const longSubtag = /[^-]{9}/;

/** Yields the quads of a template, or of data, which have no variables. Error `parse-error`. */
export function* templateQuads(quads: readonly Quads[], names: DeclaredNames): Generator<TemplateQuad> {
  for (const part of quads) {
    const graph = part.type === 'graph' ? templateTerm(part.graph, names) : undefined;
    const { triples } = part.type === 'graph' ? part.triples : part;
    for (const triple of triplesOf(triples)) yield { ...tripleOf(triple, names), graph };
  }
}

/** Yields all triples, including those of collections and of property lists in brackets. */
export function* triplesOf(triples: BasicGraphPattern): Generator<TripleNesting> {
  for (const part of triples) {
    if (part.type === 'tripleCollection') {
      yield* triplesOf(part.triples);
      continue;
    }
    yield part;
    for (const node of [part.subject, part.object]) {
      if (node.type === 'tripleCollection') yield* triplesOf(node.triples);
    }
  }
}

/** Where the first blank node stands: brackets, a collection or a label. */
export function firstBlankNode(quads: readonly Quads[]): number | undefined {
  for (const part of quads) {
    for (const node of nodesOf(part.type === 'graph' ? part.triples : part)) {
      if (node.type === 'tripleCollection' || node.subType === 'blankNode') return placeOf(node).start;
    }
  }
  return undefined;
}

/** In the order of the text, but without what is in brackets and collections. */
function nodesOf({ triples }: PatternBgp): (Term | TripleCollection)[] {
  return triples.flatMap((part) => (part.type === 'triple' ? [part.subject, part.object] : [part]));
}

function tripleOf({ subject, predicate, object }: TripleNesting, names: DeclaredNames) {
  return {
    subject: nodeTerm(subject, names),
    // The grammar of templates has no paths.
    predicate: templateTerm(predicate as TermIri | TermVariable, names),
    object: nodeTerm(object, names),
  };
}

function nodeTerm(node: Term | TripleCollection, names: DeclaredNames): TemplateTerm {
  return templateTerm(node.type === 'tripleCollection' ? node.identifier : node, names);
}

function templateTerm(term: Term, names: DeclaredNames): TemplateTerm {
  switch (term.subType) {
    case 'variable':
      return { kind: 'variable', name: term.value };
    case 'blankNode':
      return { kind: 'blank', label: term.label };
    case 'namedNode':
      return { kind: 'constant', text: `<${names.resolve(term)}>` };
    case 'literal':
      return { kind: 'constant', text: literalText(term, names) };
  }
}

function literalText(term: TermLiteral, names: DeclaredNames): string {
  const { value, langOrIri } = term;
  if (langOrIri === undefined) return formatLiteral(value, XSD_STRING, '');
  if (typeof langOrIri !== 'string') return formatLiteral(value, names.resolve(langOrIri), '');
  if (longSubtag.test(langOrIri)) throw names.errorAt(term, 'A language subtag has more than 8 characters');
  return formatLiteral(value, '', names.tagAsWritten(term, langOrIri));
}
