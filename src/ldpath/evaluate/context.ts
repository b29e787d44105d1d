/**
 * The state of one evaluation: the graph, the terms created during evaluation, the budget, and the
 * stack of term lists.
 *
 * Selectors append their results to `stack`; the caller reads the ids above the previous length and
 * cuts the stack back. So lists need no allocation, and the length of the stack is the number of
 * terms in them. The lowest `STACK_BASE` entries are filler: an array that is never cut to nearly
 * nothing keeps its memory.
 */

import type { Prefixes } from '../../rdf/model/namespaces.ts';
import type { PathGraph } from '../../rdf/model/path-graph.ts';
import { formatLiteral, parseTerm, type Term, XSD_STRING } from '../../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { LdPathError } from '../errors.ts';
import type { Span } from '../syntax/ast.ts';
import type { SourceText } from '../syntax/source-text.ts';
import type { Budget } from './budget.ts';
import { LocalTerms } from './local-terms.ts';
import { SeenSet } from './seen-set.ts';

/** A construct in its source, for errors, with the prefixes that are known there. */
export interface Site {
  readonly source: SourceText;
  readonly prefixes: Prefixes;
  readonly span: Span;
}

/** A value that was skipped: lenient mode continues without it (ldpath Q-T1, http-api P-7). */
export interface EvaluationWarning {
  readonly field: string;
  readonly message: string;
}

/**
 * Returns milliseconds, like `performance.now`; receives the number of steps so far. May throw to
 * end the evaluation.
 */
export type Clock = (steps: number) => number;

const STACK_BASE = 64;
/** Steps between two looks at the clock. */
const STEPS_A_CHECK = 512;
/** The number of characters that functions read in about the time of a step. */
const CHARACTERS_A_STEP = 1024;
/** Up to this length, duplicates in lists are removed by linear search. */
const SHORT_LIST = 16;
const FEW_POPS = 64;
const MAX_WARNINGS = 100;
const QUOTE = 0x22;
const MAX_ASCII = 0x7f;

export class EvaluationContext {
  graph!: PathGraph;
  /** Ids of the program's constants, by slot; 0 if the graph does not know the term. */
  constants: readonly TermId[] = [];
  readonly stack: TermId[] = new Array(STACK_BASE).fill(NO_TERM);
  readonly warnings: EvaluationWarning[] = [];
  /**
   * The number of terms in lists outside the stack. The owner of such a list counts its terms here
   * while it exists.
   */
  held = 0;
  /** Name of the field being evaluated; empty for a path. */
  field = '';
  /** The function call being evaluated, or the field whose values are being converted. */
  callSite: Site | undefined;
  readonly budget: Budget;
  readonly #clock: Clock;
  readonly #maxHeld: number;
  readonly #local = new LocalTerms();
  readonly #seen = new SeenSet();
  readonly #seenPool: SeenSet[] = [];
  #seenInUse = 0;
  #untilCheck = 0;
  #stepsLeft = 0;
  /** Steps of the evaluations before this one. */
  #earlierSteps = 0;
  #deadline = 0;
  #textLeft = 0;

  constructor(budget: Budget, clock: Clock) {
    this.budget = budget;
    this.#clock = clock;
    this.#stepsLeft = budget.steps;
    this.#maxHeld = budget.terms + STACK_BASE;
  }

  /** Starts an evaluation; discards the previous one. */
  begin(graph: PathGraph, constants: readonly TermId[]): void {
    this.graph = graph;
    this.constants = constants;
    this.cut(STACK_BASE);
    if (this.warnings.length > 0) this.warnings.length = 0;
    this.held = 0;
    this.field = '';
    this.#local.clear();
    this.#seenInUse = 0;
    this.#earlierSteps += this.#taken;
    this.#stepsLeft = this.budget.steps;
    this.#grant();
    this.#deadline = 0;
    this.#textLeft = this.budget.totalTextLength;
  }

  // --- budget ---

  /** The steps of all evaluations so far. */
  get totalSteps(): number {
    return this.#earlierSteps + this.#taken;
  }

  /** The steps of this evaluation. */
  get #taken(): number {
    return this.budget.steps - this.#stepsLeft - this.#untilCheck;
  }

  /** Counts one look-up, test or call. */
  step(site: Site): void {
    if (--this.#untilCheck < 0) this.#check(site);
    if (this.stack.length + this.held > this.#maxHeld) throw this.#exceeded('terms', site);
  }

  /** Counts several look-ups that were made together. */
  steps(count: number, site: Site): void {
    this.#untilCheck -= count;
    if (this.#untilCheck < 0) this.#check(site);
    if (this.stack.length + this.held > this.#maxHeld) throw this.#exceeded('terms', site);
  }

  /** Counts the work of a function beyond its call: the number of values examined. */
  work(count: number): void {
    this.steps(count, this.callSite!);
  }

  /** Counts a value that a function examines, by the length of its text. */
  read(text: string): void {
    this.work(1 + Math.floor(text.length / CHARACTERS_A_STEP));
  }

  /**
   * Called when more than the granted steps are used up. Throws if none are left, or if the time
   * limit has passed.
   */
  #check(site: Site): void {
    const owed = -this.#untilCheck;
    if (owed > this.#stepsLeft) throw this.#exceeded('steps', site);
    const now = this.#clock(this.budget.steps - this.#stepsLeft + owed);
    if (this.#deadline === 0) this.#deadline = now + this.budget.milliseconds;
    else if (now > this.#deadline) {
      throw siteError('time-limit', `Evaluation took longer than ${this.budget.milliseconds} ms`, site);
    }
    this.#stepsLeft -= owed;
    this.#grant();
  }

  /** Grants the steps until the next look at the clock. */
  #grant(): void {
    this.#untilCheck = Math.min(STEPS_A_CHECK, this.#stepsLeft);
    this.#stepsLeft -= this.#untilCheck;
  }

  #exceeded(budget: 'terms' | 'steps', site: Site): LdPathError {
    const message = `Evaluation exceeded its budget of ${this.budget[budget]} ${budget}`;
    return siteError('budget-exceeded', message, site);
  }

  /** Counts a text that is about to be created. @throws LdPathError budget-exceeded */
  spendText(length: number): void {
    this.#textLeft -= length;
    if (length > this.budget.textLength || this.#textLeft < 0) {
      const limit = length > this.budget.textLength ? this.budget.textLength : this.budget.totalTextLength;
      const place = this.field === '' ? '' : ` in field "${this.field}"`;
      throw new LdPathError(
        'budget-exceeded',
        `A function created more than ${limit} characters of text${place}`,
      );
    }
  }

  /** Returns the error of a function call that would exceed a limit of its own. */
  exceeded(message: string): LdPathError {
    const { source, span } = this.callSite!;
    return source.error('budget-exceeded', message, span.start);
  }

  warn(message: string): void {
    if (this.warnings.length < MAX_WARNINGS) this.warnings.push({ field: this.field, message });
  }

  // --- terms ---

  /** Returns a constant's id, even if the graph does not show it. */
  constant(slot: number, text: string): TermId {
    return this.#shown(this.constants[slot]!, text);
  }

  /** Returns the id of a term in canonical N-Triples, whether or not the graph shows it. */
  intern(text: string): TermId {
    return this.#shown(this.graph.find(text), text);
  }

  /** Returns the id of a predicate as a node, equal to that of the same IRI made otherwise. */
  predicateNode(predicate: TermId): TermId {
    return this.graph.shown(predicate) || this.#local.add(this.graph.text(predicate));
  }

  #shown(found: TermId, text: string): TermId {
    return this.graph.shown(found) || this.#local.add(text);
  }

  literal(value: string, datatype: string = XSD_STRING, language = ''): TermId {
    this.spendText(value.length);
    return this.intern(formatLiteral(value, datatype, language));
  }

  /** Canonical N-Triples. */
  text(id: TermId): string {
    return id > NO_TERM ? this.graph.text(id) : this.#local.text(id);
  }

  term(id: TermId): Term {
    return parseTerm(this.text(id));
  }

  /**
   * Returns the IRI, blank node label or lexical form (ldpath 3.1) for a function, and counts the
   * work.
   */
  stringValue(id: TermId): string {
    const { value } = this.term(id);
    this.read(value);
    return value;
  }

  isLiteral(id: TermId): boolean {
    if (id < NO_TERM) return this.#local.text(id).charCodeAt(0) === QUOTE;
    const { terms } = this.graph;
    return terms.bytes[terms.start(id)] === QUOTE;
  }

  /** Whether the canonical form of a term ends with a text. */
  endsWith(id: TermId, suffix: string): boolean {
    if (id < NO_TERM) return this.#local.text(id).endsWith(suffix);
    const { terms } = this.graph;
    const from = terms.end(id) - suffix.length;
    if (from < terms.start(id)) return false;
    for (let i = suffix.length - 1; i >= 0; i--) {
      const code = suffix.charCodeAt(i);
      if (code > MAX_ASCII) return this.text(id).endsWith(suffix);
      if (terms.bytes[from + i] !== code) return false;
    }
    return true;
  }

  /** Returns the language of a literal that has one, in lower case, perhaps with a direction. */
  tag(id: TermId): string {
    const text = this.text(id);
    return text.slice(text.lastIndexOf('"') + 2).toLowerCase();
  }

  // --- lists ---

  /** Shortens the stack. Setting `length` is a slow call; a few pops are faster. */
  cut(length: number): void {
    const { stack } = this;
    if (stack.length - length > FEW_POPS) stack.length = length;
    else while (stack.length > length) stack.pop();
  }

  /** Moves the ids from `middle` on down to `start`. */
  moveDown(start: number, middle: number): void {
    const { stack } = this;
    const end = stack.length;
    let to = start;
    for (let from = middle; from < end; from++) stack[to++] = stack[from]!;
    this.cut(to);
  }

  /** The same, without duplicates; first occurrences stay. */
  moveDownDistinct(start: number, middle: number): void {
    const { stack } = this;
    if (stack.length - middle > SHORT_LIST) {
      this.#moveDownSeen(start, middle);
      return;
    }
    const end = stack.length;
    let to = start;
    for (let from = middle; from < end; from++) {
      const id = stack[from]!;
      let at = start;
      while (at < to && stack[at] !== id) at++;
      if (at === to) stack[to++] = id;
    }
    this.cut(to);
  }

  #moveDownSeen(start: number, middle: number): void {
    const { stack } = this;
    const seen = this.#seen;
    seen.clear();
    const end = stack.length;
    let to = start;
    for (let from = middle; from < end; from++) {
      const id = stack[from]!;
      if (seen.add(id)) stack[to++] = id;
    }
    this.cut(to);
  }

  /**
   * Sorts the ids from `start` on into the order of the store, after a step that looked up several
   * predicates.
   */
  sort(start: number): void {
    const sorted = this.stack.slice(start).sort((a, b) => a - b);
    for (let i = 0; i < sorted.length; i++) this.stack[start + i] = sorted[i]!;
  }

  /**
   * Returns an empty set for the caller to use until it returns it. Sets must be returned in
   * reverse order.
   */
  borrowSeen(): SeenSet {
    if (this.#seenInUse === this.#seenPool.length) this.#seenPool.push(new SeenSet());
    const seen = this.#seenPool[this.#seenInUse++]!;
    seen.clear();
    return seen;
  }

  returnSeen(): void {
    this.#seenInUse--;
  }
}

function siteError(code: 'budget-exceeded' | 'time-limit', message: string, site: Site): LdPathError {
  const { source, span } = site;
  const text = source.text.slice(span.start, Math.min(span.end, span.start + MAX_SHOWN));
  return source.error(code, `${message} in ${text}`, span.start);
}

const MAX_SHOWN = 80;
