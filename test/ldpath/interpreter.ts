/**
 * The meaning of paths in its simplest form (ldpath 3.3-3.5, 8.2), which the compiler must match.
 */

import type { IndexedGraph } from '../../src/ldpath/evaluate/indexed-graph.ts';
import type { Selector, Test } from '../../src/ldpath/syntax/ast.ts';

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const subPropertyOf = '<http://www.w3.org/2000/01/rdf-schema#subPropertyOf>';

/**
 * Evaluates steps by one property or by all, in either direction, to lists of canonical terms in
 * store order.
 */
export class Interpreter {
  readonly #graph: IndexedGraph;

  constructor(graph: IndexedGraph) {
    this.#graph = graph;
  }

  select(selector: Selector, node: string): string[] {
    switch (selector.kind) {
      case 'self':
        return [node];
      case 'constant':
        return [selector.term];
      case 'property':
      case 'wildcard':
      case 'sub-property':
        if (selector.inverse && isLiteral(node)) return [];
        return this.#edges(this.#predicates(selector), node, selector.inverse);
      case 'path':
        return selector.steps.reduce(
          (from, step) => distinct(from.flatMap((each) => this.select(step, each))),
          [node],
        );
      case 'union':
        return distinct(selector.operands.flatMap((operand) => this.select(operand, node)));
      case 'intersection':
        return distinct(
          selector.operands
            .map((operand) => this.select(operand, node))
            .reduce((left, right) => left.filter((each) => right.includes(each))),
        );
      case 'group':
        return this.select(selector.selector, node);
      case 'filtered':
        return selector.tests.reduce(
          (kept, test) => kept.filter((each) => this.accepts(test, each)),
          this.select(selector.selector, node),
        );
      case 'closure':
        return closure((from) => this.select(selector.selector, from), node, selector.reflexive);
      case 'bounded':
        return bounded((from) => this.select(selector.selector, from), node, selector.min, selector.max);
      case 'inverted':
        return this.#inverse(selector.selector, node);
      case 'call':
        return call(
          selector.name,
          selector.arguments.map((argument) => this.select(argument, node)),
        );
    }
  }

  accepts(test: Test, node: string): boolean {
    switch (test.kind) {
      case 'exists':
        return !isLiteral(node) && this.select(test.path, node).length > 0;
      case 'is':
        return this.select(test.selector, node).includes(test.term);
      case 'is-a':
        return this.#edges([`<${rdf}type>`], node, false).includes(test.term);
      case 'language': {
        const language = /"@([^"]*)$/.exec(node)?.[1]?.toLowerCase() ?? 'none';
        return (
          isLiteral(node) && (language === test.tag || (test.range && language.startsWith(`${test.tag}-`)))
        );
      }
      case 'datatype':
        return isLiteral(node) && datatype(node) === test.iri;
      case 'test-call':
        return this.select(test.arguments[0]!, node).every((each) => /^"7"(\^|$|@)/.test(each));
      case 'and':
        return test.operands.every((operand) => this.accepts(operand, node));
      case 'or':
        return test.operands.some((operand) => this.accepts(operand, node));
      case 'not':
        return !this.accepts(test.test, node);
      case 'test-group':
        return this.accepts(test.test, node);
    }
  }

  #inverse(selector: Selector, node: string): string[] {
    const inverse = (from: string) => this.#inverse(innerOf(selector), from);
    switch (selector.kind) {
      case 'self':
        return [node];
      case 'property':
      case 'wildcard':
      case 'sub-property':
        return this.#edges(this.#predicates(selector), node, !selector.inverse);
      case 'path':
        return selector.steps.reduceRight(
          (from, step) => distinct(from.flatMap((each) => this.#inverse(step, each))),
          [node],
        );
      case 'union':
        return distinct(selector.operands.flatMap((operand) => this.#inverse(operand, node)));
      case 'intersection':
        return distinct(
          selector.operands
            .map((operand) => this.#inverse(operand, node))
            .reduce((left, right) => left.filter((each) => right.includes(each))),
        );
      case 'group':
        return inverse(node);
      case 'closure':
        return closure(inverse, node, selector.reflexive);
      case 'bounded':
        return bounded(inverse, node, selector.min, selector.max);
      case 'inverted':
        return this.select(selector.selector, node);
      default:
        throw new Error(`${selector.kind} has no inverse`);
    }
  }

  #predicates(step: Extract<Selector, { kind: 'property' | 'wildcard' | 'sub-property' }>): string[] {
    if (step.kind === 'property') return [`<${step.iri}>`];
    if (step.kind === 'sub-property') {
      return closure((from) => this.#edges([subPropertyOf], from, true), `<${step.iri}>`, true);
    }
    return this.#everyTerm().filter((term) => !step.except.includes(term.slice(1, -1)));
  }

  /** In the order of the store. */
  #edges(predicates: readonly string[], node: string, inverse: boolean): string[] {
    const has = (other: string, predicate: string) =>
      inverse ? this.#has(other, predicate, node) : this.#has(node, predicate, other);
    return this.#everyTerm().filter((other) => predicates.some((predicate) => has(other, predicate)));
  }

  #has(subject: string, predicate: string, object: string): boolean {
    const [s, p, o] = [subject, predicate, object].map((text) => this.#graph.find(text));
    return this.#graph.has(s!, p!, o!);
  }

  #everyTerm(): string[] {
    const terms: string[] = [];
    for (let id = 1; this.#graph.text(id) !== undefined; id++) terms.push(this.#graph.text(id));
    return terms;
  }
}

function innerOf(selector: Selector): Selector {
  return (selector as { selector: Selector }).selector;
}

type Step = (from: string) => string[];

function closure(step: Step, node: string, reflexive: boolean): string[] {
  const found: string[] = reflexive ? [node] : [];
  visitAll(step, step(node), found);
  return found;
}

/** Adds what is new and everything reachable from it, depth first. */
function visitAll(step: Step, nodes: readonly string[], found: string[]): void {
  for (const node of nodes) {
    if (found.includes(node)) continue;
    found.push(node);
    visitAll(step, step(node), found);
  }
}

function bounded(step: Step, node: string, min: number, max: number): string[] {
  let level = [node];
  for (let depth = 0; depth < min; depth++) level = distinct(level.flatMap(step));
  const found = [...level];
  if (max === Number.POSITIVE_INFINITY) {
    for (const from of level) visitAll(step, step(from), found);
    return found;
  }
  for (let depth = min; depth < max; depth++) {
    level = distinct(level.flatMap(step));
    found.push(...level);
  }
  return distinct(found);
}

function call(name: string, args: readonly string[][]): string[] {
  if (name === 'first') return args.find((list) => list.length > 0) ?? [];
  if (name === 'count')
    return args.map((list) => `"${list.length}"^^<http://www.w3.org/2001/XMLSchema#integer>`);
  throw new Error(`fn:${name} is not interpreted`);
}

function isLiteral(term: string): boolean {
  return term.startsWith('"');
}

function datatype(literal: string): string {
  const typed = /"\^\^<([^>]*)>$/.exec(literal)?.[1];
  if (typed !== undefined) return typed;
  return literal.endsWith('"') ? 'http://www.w3.org/2001/XMLSchema#string' : `${rdf}langString`;
}

function distinct(list: readonly string[]): string[] {
  return [...new Set(list)];
}
