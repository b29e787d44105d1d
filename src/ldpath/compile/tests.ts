/** Tests: closures that accept or reject a candidate (ldpath 3.5). */

import { partsOfTag, RDF_DIR_LANG_STRING, RDF_LANG_STRING, XSD_STRING } from '../../rdf/model/term.ts';
import { NO_TERM } from '../../rdf/model/term-id.ts';
import type { EvaluationContext } from '../evaluate/context.ts';
import { testFunctions } from '../functions/catalog.ts';
import type * as ast from '../syntax/ast.ts';
import { checkArity } from './arity.ts';
import type { Accept, CompileScope } from './compiled-program.ts';
import { evaluateArguments } from './sets.ts';

export function compileTest(test: ast.Test, scope: CompileScope): Accept {
  switch (test.kind) {
    case 'exists':
      return compileExists(test, scope);
    case 'is':
      return compileIs(test, scope);
    case 'is-a':
      return compileHas({ predicate: `<${rdfType}>`, term: test.term, inverse: false }, test, scope);
    case 'language':
      return compileLanguage(test);
    case 'datatype':
      return compileDatatype(test.iri);
    case 'test-call':
      return compileTestCall(test, scope);
    case 'and':
      return all(test.operands.map((operand) => scope.test(operand)));
    case 'or':
      return any(test.operands.map((operand) => scope.test(operand)));
    case 'not': {
      const accepts = scope.test(test.test);
      return (context, candidate) => !accepts(context, candidate);
    }
    case 'test-group':
      return scope.test(test.test);
  }
}

const rdfType = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';

function all(tests: readonly Accept[]): Accept {
  return (context, candidate) => tests.every((accepts) => accepts(context, candidate));
}

function any(tests: readonly Accept[]): Accept {
  return (context, candidate) => tests.some((accepts) => accepts(context, candidate));
}

/** Never accepts literals (Q-E2). */
function compileExists(test: ast.Exists, scope: CompileScope): Accept {
  const { select } = scope.selector(test.path);
  return (context, candidate) => {
    if (context.isLiteral(candidate)) return false;
    const start = context.stack.length;
    select(context, candidate);
    const found = context.stack.length > start;
    context.cut(start);
    return found;
  };
}

function compileIs(test: ast.Is, scope: CompileScope): Accept {
  const { selector, term } = test;
  if (selector.kind === 'property') {
    return compileHas({ predicate: `<${selector.iri}>`, term, inverse: selector.inverse }, test, scope);
  }
  const { select } = scope.selector(selector);
  const slot = scope.constant(term);
  return (context, candidate) => {
    const { stack } = context;
    const start = stack.length;
    select(context, candidate);
    const wanted = context.constant(slot, term);
    const found = stack.indexOf(wanted, start) >= 0;
    context.cut(start);
    return found;
  };
}

/** The triple that must exist; the candidate is its subject, or its object if it is inverse. */
interface WantedTriple {
  readonly predicate: string;
  readonly term: string;
  readonly inverse: boolean;
}

/** `p is t` needs only one look-up. */
function compileHas({ predicate, term, inverse }: WantedTriple, span: ast.Span, scope: CompileScope): Accept {
  const site = scope.site(span);
  const predicateSlot = scope.constant(predicate);
  const termSlot = scope.constant(term);
  return (context, candidate) => {
    context.step(site);
    const predicateId = context.constants[predicateSlot]!;
    const termId = context.constants[termSlot]!;
    if (predicateId === NO_TERM || termId === NO_TERM) return false;
    if (!inverse) return context.graph.has(candidate, predicateId, termId);
    return !context.isLiteral(candidate) && context.graph.has(termId, predicateId, candidate);
  };
}

function compileLanguage({ tag, range }: ast.LanguageTest): Accept {
  if (tag === 'none' && !range) {
    return (context, candidate) => context.isLiteral(candidate) && languageOf(context, candidate) === '';
  }
  return (context, candidate) => {
    if (!context.isLiteral(candidate)) return false;
    const language = languageOf(context, candidate);
    return language === tag || (range && language.startsWith(`${tag}-`));
  };
}

/**
 * A plain literal is an xsd:string; one with a language is an rdf:langString, and one with a
 * language and a direction an rdf:dirLangString.
 */
function compileDatatype(iri: string): Accept {
  if (iri === RDF_LANG_STRING || iri === RDF_DIR_LANG_STRING) {
    const isDirected = iri === RDF_DIR_LANG_STRING;
    return (context, candidate) => {
      if (!context.isLiteral(candidate)) return false;
      const { language, direction } = partsOfTag(tagOf(context, candidate));
      return language !== '' && (direction !== '') === isDirected;
    };
  }
  const suffix = iri === XSD_STRING ? '"' : `"^^<${iri}>`;
  return (context, candidate) => context.isLiteral(candidate) && context.endsWith(candidate, suffix);
}

/** Returns the language in lower case; empty without one. */
function languageOf(context: EvaluationContext, literal: number): string {
  return partsOfTag(tagOf(context, literal)).language;
}

/** Returns the language, perhaps with a direction; empty without a language. */
function tagOf(context: EvaluationContext, literal: number): string {
  return context.endsWith(literal, '"') || context.endsWith(literal, '>') ? '' : context.tag(literal);
}

function compileTestCall(test: ast.TestCall, scope: CompileScope): Accept {
  const site = scope.site(test);
  const called = testFunctions.get(test.name)!;
  checkArity(called, test.arguments.length, site);
  const operands = test.arguments.map((argument) => scope.selector(argument));
  return (context, candidate) => {
    const { held } = context;
    const args = evaluateArguments(context, operands, candidate);
    context.step(site);
    context.callSite = site;
    const accepted = called.accepts(context, args, candidate);
    context.held = held;
    return accepted;
  };
}
