/**
 * Prints a tree as text. Parsing the text yields the same tree except for groups, which are added
 * where a reader could be misled: around mixed `&` and `|` and around the operand of `!`. IRIs are
 * written in full.
 */

import type * as ast from '../../src/ldpath/syntax/ast.ts';
import { type Literal, parseTerm, RDF_LANG_STRING, XSD_STRING } from '../../src/rdf/model/term.ts';

export function printProgram(program: ast.Program): string {
  const lines = [
    ...Array.from(program.prefixes, ([prefix, namespace]) => `@prefix ${prefix} : <${namespace}> ;`),
    ...(program.graphs.length > 0 ? [`@graph ${program.graphs.map(printIri).join(', ')} ;`] : []),
    ...program.filters.map((test) => `@filter ${printTest(test)} ;`),
    ...(program.boost === undefined ? [] : [`@boost ${printSelector(program.boost)} ;`]),
    ...program.fields.map(printField),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function printField(field: ast.Field): string {
  const name = { identifier: `${field.name} = `, iri: `${printIri(field.name)} = `, derived: '' }[
    field.naming
  ];
  const type = field.type === undefined ? '' : ` :: ${printIri(field.type)}`;
  const entries = Array.from(field.configuration, ([key, value]) => `${key} = "${value}"`).join(', ');
  return `${name}${printSelector(field.selector)}${type}${entries === '' ? '' : ` (${entries})`} ;`;
}

export function printSelector(selector: ast.Selector): string {
  switch (selector.kind) {
    case 'self':
      return '.';
    case 'property':
      return `${caret(selector)}${printIri(selector.iri)}`;
    case 'wildcard':
      return `${caret(selector)}*${printExcept(selector.except)}`;
    case 'sub-property':
      return `${caret(selector)}~${printIri(selector.iri)}`;
    case 'constant':
      return printLiteral(parseTerm(selector.term) as Literal);
    case 'path':
      return selector.steps.map(printStep).join(' / ');
    case 'union':
      return selector.operands.map(printSetOperand).join(' | ');
    case 'intersection':
      return selector.operands.map(printSetOperand).join(' & ');
    case 'group':
      return `(${printSelector(selector.selector)})`;
    case 'filtered':
      return printStep(selector.selector) + selector.tests.map((test) => `[${printTest(test)}]`).join('');
    case 'closure':
      return `${printStep(selector.selector)}${selector.reflexive ? '*' : '+'}`;
    case 'bounded':
      return `${printStep(selector.selector)}{${selector.min},${selector.max === Number.POSITIVE_INFINITY ? '' : selector.max}}`;
    case 'inverted':
      return `^(${printSelector(selector.selector)})`;
    case 'call':
      return printCall(selector);
  }
}

export function printTest(test: ast.Test): string {
  switch (test.kind) {
    case 'exists':
      return printSelector(test.path);
    case 'is':
      return `${printSelector(test.selector)} is ${printTerm(test.term)}`;
    case 'is-a':
      return `is-a ${printTerm(test.term)}`;
    case 'language':
      return `@${test.tag}${test.range ? '*' : ''}`;
    case 'datatype':
      return `^^${printIri(test.iri)}`;
    case 'test-call':
      return printCall(test);
    case 'and':
      return test.operands.map(printTestOperand).join(' & ');
    case 'or':
      return test.operands.map(printTestOperand).join(' | ');
    case 'not':
      return test.test.kind === 'test-group' ? `!${printTest(test.test)}` : `!(${printTest(test.test)})`;
    case 'test-group':
      return `(${printTest(test.test)})`;
  }
}

function caret({ inverse }: { readonly inverse: boolean }): string {
  return inverse ? '^' : '';
}

function printExcept(except: readonly string[]): string {
  return except.length === 0 ? '' : `!(${except.map(printIri).join(' | ')})`;
}

/** A nested set operation is a change of operator, which comes last. */
function printSetOperand(selector: ast.Selector): string {
  const text = printSelector(selector);
  return selector.kind === 'union' || selector.kind === 'intersection' ? `(${text})` : text;
}

function printTestOperand(test: ast.Test): string {
  const text = printTest(test);
  return test.kind === 'and' || test.kind === 'or' ? `(${text})` : text;
}

/**
 * Adds parentheses around composite selectors. Steps are joined with blanks, because a wildcard
 * directly after `/` would open a comment.
 */
function printStep(selector: ast.Selector): string {
  const text = printSelector(selector);
  return selector.kind === 'union' || selector.kind === 'intersection' || selector.kind === 'path'
    ? `(${text})`
    : text;
}

function printCall(call: ast.Call | ast.TestCall): string {
  return `fn:${call.name}(${call.arguments.map(printSelector).join(', ')})`;
}

function printTerm(text: string): string {
  const term = parseTerm(text);
  return term.kind === 'literal' ? printLiteral(term) : text;
}

function printLiteral({ value, language, datatype }: Literal): string {
  const quoted = /["\r\n]/.test(value) ? `'${value.replace(/[\\'\r\n]/g, escapeCharacter)}'` : `"${value}"`;
  if (datatype === RDF_LANG_STRING && language !== '') return `${quoted}@${language}`;
  return datatype === XSD_STRING ? quoted : `${quoted}^^${printIri(datatype)}`;
}

function escapeCharacter(character: string): string {
  return { '\n': '\\n', '\r': '\\r' }[character] ?? `\\${character}`;
}

function printIri(iri: string): string {
  return `<${iri}>`;
}
