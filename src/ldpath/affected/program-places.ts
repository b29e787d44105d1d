/**
 * Where a program looks up triples: a tree of places. A place is a set of nodes at which parts of
 * the program are evaluated; a relation leads to it from its parent. The root is the start
 * resource.
 */

import { RDF } from '../../rdf/model/term.ts';
import type * as ast from '../syntax/ast.ts';
import { functionNature } from './function-natures.ts';
import { forwardStep, type Relation, type Step } from './relation.ts';
import { functionCallOf, pathSteps, relationOf, repeatOf, stepOf } from './selector-relation.ts';

/** A look-up: the nodes at which it is made are the origins of the step. */
export interface Read {
  /** Index in `Places.all`. */
  readonly place: number;
  readonly step: Step;
  /** The other end, in canonical N-Triples, if only one is asked for. */
  readonly other?: string;
}

export interface Place {
  /** Index in `Places.all`, less than that of this place; -1 for the root. */
  readonly parent: number;
  readonly relation: Relation;
}

const ROOT = 0;

export class Places {
  /** The root first, parents before children. */
  readonly all: Place[] = [{ parent: -1, relation: { kind: 'self' } }];
  readonly reads: Read[] = [];
  /** Places and reads by what they are, so that each exists once. */
  readonly #known = new Map<string, number>();

  constructor(program: ast.Program) {
    for (const field of program.fields) this.#selector(field.selector, ROOT, false);
    for (const filter of program.filters) this.#test(filter, ROOT);
    if (program.boost !== undefined) this.#selector(program.boost, ROOT, false);
  }

  #after(parent: number, relation: Relation): number {
    if (relation.kind === 'self') return parent;
    const key = JSON.stringify([parent, relation]);
    let place = this.#known.get(key);
    if (place === undefined) {
      place = this.all.push({ parent, relation }) - 1;
      this.#known.set(key, place);
    }
    return place;
  }

  #read(read: Read): void {
    const key = JSON.stringify([read.place, read.step, read.other]);
    if (this.#known.has(key)) return;
    this.#known.set(key, this.reads.push(read));
  }

  /** Notes what the selector, or its inverse, looks up when it is evaluated at the place. */
  #selector(selector: ast.Selector, place: number, inverted: boolean): void {
    switch (selector.kind) {
      case 'self':
      case 'constant':
        break;
      case 'property':
      case 'wildcard':
      case 'sub-property':
        this.#read({ place, step: stepOf(selector, inverted) });
        break;
      case 'path':
        this.#path(pathSteps(selector, inverted), place, inverted);
        break;
      case 'union':
      case 'intersection':
        for (const operand of selector.operands) this.#selector(operand, place, inverted);
        break;
      case 'group':
        this.#selector(selector.selector, place, inverted);
        break;
      case 'inverted':
        this.#selector(selector.selector, place, !inverted);
        break;
      case 'filtered':
        this.#filtered(selector, place);
        break;
      case 'closure':
        this.#repeated(selector, Number.POSITIVE_INFINITY, place, inverted);
        break;
      case 'bounded':
        this.#repeated(selector, Math.max(selector.max - 1, 0), place, inverted);
        break;
      case 'call':
        this.#call(selector, place);
        break;
    }
  }

  #path(steps: readonly ast.Selector[], from: number, inverted: boolean): void {
    let place = from;
    for (const step of steps) {
      this.#selector(step, place, inverted);
      place = this.#after(place, relationOf(step, inverted));
    }
  }

  #filtered({ selector, tests }: ast.Filtered, place: number): void {
    this.#selector(selector, place, false);
    const candidates = this.#after(place, relationOf(selector, false));
    for (const test of tests) this.#test(test, candidates);
  }

  /** The repeated selector is evaluated at all nodes that at most `most` repetitions lead to. */
  #repeated(selector: ast.Closure | ast.Bounded, most: number, place: number, inverted: boolean): void {
    this.#selector(selector.selector, this.#after(place, repeatOf(selector, most, inverted)), inverted);
  }

  #call(call: ast.Call, place: number): void {
    for (const argument of call.arguments) this.#selector(argument, place, false);
    for (const { from, step } of functionNature(call.name).lookups(functionCallOf(call))) {
      this.#read({ place: this.#after(place, from), step });
    }
  }

  #test(test: ast.Test, place: number): void {
    switch (test.kind) {
      case 'exists':
        this.#selector(test.path, place, false);
        break;
      case 'is':
        this.#is(test, place);
        break;
      case 'is-a':
        this.#read({ place, step: forwardStep(`${RDF}type`), other: test.term });
        break;
      case 'test-call':
        for (const argument of test.arguments) this.#selector(argument, place, false);
        break;
      case 'and':
      case 'or':
        for (const operand of test.operands) this.#test(operand, place);
        break;
      case 'not':
      case 'test-group':
        this.#test(test.test, place);
        break;
      case 'language':
      case 'datatype':
        break;
    }
  }

  #is({ selector, term }: ast.Is, place: number): void {
    if (selector.kind === 'property') this.#read({ place, step: stepOf(selector, false), other: term });
    else this.#selector(selector, place, false);
  }
}
