/** Warnings about constructs that are legal but probably not intended (ldpath 8.6). */

import { predefinedPrefixes } from '../../rdf/model/namespaces.ts';
import type * as ast from '../syntax/ast.ts';
import type { ParsedPath, ParsedProgram } from '../syntax/parser.ts';
import { isRereadAsSelector } from '../syntax/rereading.ts';
import type { Place, SourceText } from '../syntax/source-text.ts';

export type WarningCode =
  | 'accepts-all'
  | 'both-exist'
  | 'duplicate-field'
  | 'endless-repetition'
  | 'final-dot'
  | 'first-of-one'
  | 'mixed-operators'
  | 'redefined-prefix'
  | 'true-without-values'
  | 'unclosed-comment'
  | 'unused-prefix'
  | 'wide-is'
  | 'wide-not';

export interface Warning extends Place {
  readonly code: WarningCode;
  readonly message: string;
}

const MAX_WARNINGS = 100;
const noGuards: ReadonlySet<string> = new Set();

export function pathWarnings({ source, path, unclosedComment }: ParsedPath): Warning[] {
  const collector = new Collector(source);
  collector.comment(unclosedComment);
  collector.selector(path);
  return collector.warnings;
}

export function programWarnings(parsed: ParsedProgram): Warning[] {
  const { source, program, unclosedComment } = parsed;
  const collector = new Collector(source);
  collector.comment(unclosedComment);
  collector.prefixes(parsed);
  for (const test of program.filters) collector.test(test);
  if (program.boost !== undefined) collector.selector(program.boost);
  for (const field of program.fields) collector.selector(field.selector);
  collector.duplicateNames(program.fields);
  return collector.warnings;
}

class Collector {
  readonly warnings: Warning[] = [];
  readonly #source: SourceText;

  constructor(source: SourceText) {
    this.#source = source;
  }

  comment(start: number | undefined): void {
    if (start === undefined) return;
    const afterStep = /[^\s;]$/.test(this.#source.text.slice(0, start));
    const hint = afterStep ? '; if "/*" is meant as a step and a wildcard, put a blank between them' : '';
    const span = { start, end: start + '/*'.length };
    this.#warn(
      span,
      'unclosed-comment',
      `This comment is never closed, and hides the rest of the text${hint}`,
    );
  }

  prefixes({ program, usedPrefixes, prefixSpans }: ParsedProgram): void {
    for (const [prefix, namespace] of program.prefixes) {
      const span = prefixSpans.get(prefix)!;
      if (!usedPrefixes.has(prefix)) {
        this.#warn(span, 'unused-prefix', `The prefix "${prefix}" is declared but not used`);
      }
      const known = Object.hasOwn(predefinedPrefixes, prefix) ? predefinedPrefixes[prefix] : undefined;
      if (known !== undefined && known !== namespace) {
        this.#warn(span, 'redefined-prefix', `The prefix "${prefix}" no longer means <${known}>`);
      }
    }
  }

  duplicateNames(fields: readonly ast.Field[]): void {
    const seen = new Set<string>();
    for (const field of fields) {
      if (seen.has(field.name))
        this.#warn(field, 'duplicate-field', `A second field "${field.name}": only the last one counts`);
      seen.add(field.name);
    }
  }

  selector(selector: ast.Selector): void {
    switch (selector.kind) {
      case 'property':
        if (selector.iri.endsWith('.'))
          this.#warn(selector, 'final-dot', 'The final dot is part of the name');
        break;
      case 'union':
      case 'intersection':
        this.#mixed(selector);
        for (const operand of selector.operands) this.selector(operand);
        break;
      case 'path':
        for (const step of selector.steps) this.selector(step);
        break;
      case 'filtered':
        this.selector(selector.selector);
        for (const test of selector.tests) this.test(test);
        break;
      case 'closure':
      case 'bounded':
        if (makesTerms(selector.selector)) {
          const message = 'A repeated step that creates new terms may never end';
          this.#warn(selector, 'endless-repetition', message);
        }
        this.selector(selector.selector);
        break;
      case 'group':
      case 'inverted':
        this.selector(selector.selector);
        break;
      case 'call':
        this.#call(selector);
        break;
    }
  }

  test(test: ast.Test): void {
    switch (test.kind) {
      case 'and':
        this.#mixed(test);
        this.#guardedInTurn(test.operands);
        break;
      case 'or':
        this.#mixed(test);
        for (const operand of test.operands) this.#guarded(operand, noGuards);
        break;
      case 'not':
        if (test.test.kind === 'and' || test.test.kind === 'or') {
          this.#warn(
            test,
            'wide-not',
            '"!" applies to everything to its right; add parentheses to make this explicit',
          );
        }
        this.test(test.test);
        break;
      case 'test-group':
        if (isRereadAsSelector(test)) {
          this.#warn(
            test,
            'both-exist',
            '"&" requires here that both sides exist; the reference selects what they have in common',
          );
        }
        this.test(test.test);
        break;
      default:
        this.#guarded(test, noGuards);
    }
  }

  /** Each operand is only tested if those before it accept. */
  #guardedInTurn(operands: readonly ast.Test[]): void {
    const guards = new Set<string>();
    for (const operand of operands) {
      this.#guarded(operand, guards);
      if (operand.kind === 'exists') guards.add(this.#text(operand.path));
    }
  }

  /** `guards`: texts of the paths that are known to select something when the test is evaluated. */
  #guarded(test: ast.Test, guards: ReadonlySet<string>): void {
    switch (test.kind) {
      case 'exists':
        this.#exists(test);
        break;
      case 'is':
        if (test.selector.kind === 'intersection' || test.selector.kind === 'union') {
          this.#warn(test, 'wide-is', '"is" applies to the whole union or intersection before it');
        }
        this.selector(test.selector);
        break;
      case 'test-call':
        this.#vacuous(test, guards);
        for (const argument of test.arguments) this.selector(argument);
        break;
      case 'and':
      case 'or':
      case 'not':
      case 'test-group':
        this.test(test);
        break;
    }
  }

  #exists(test: ast.Exists): void {
    if (test.path.kind === 'self' || test.path.kind === 'constant') {
      this.#warn(test, 'accepts-all', 'This test accepts every node except literals');
    }
    this.selector(test.path);
  }

  /** Q-F1: a test function accepts if there are no values. */
  #vacuous(test: ast.TestCall, guards: ReadonlySet<string>): void {
    const unguarded = test.arguments.find(
      (argument) => canBeEmpty(argument) && !guards.has(this.#text(argument)),
    );
    if (unguarded === undefined || holdsWithoutValues(test.name)) return;
    const text = this.#text(unguarded);
    const message = `This test is true if there is no ${text}; write "${text} & ..." to require one`;
    this.#warn(test, 'true-without-values', message);
  }

  #call(call: ast.Call): void {
    if (call.name === 'first' && call.arguments.length === 1) {
      this.#warn(
        call,
        'first-of-one',
        'fn:first with one argument returns all of its values; it chooses between arguments',
      );
    }
    for (const argument of call.arguments) this.selector(argument);
  }

  #mixed(node: ast.Span & { readonly operands: readonly { kind: string }[] }): void {
    const last = node.operands.at(-1)!.kind;
    if (last === 'union' || last === 'intersection' || last === 'and' || last === 'or') {
      const message = '"&" and "|" have equal precedence and nest to the right; write parentheses';
      this.#warn(node, 'mixed-operators', message);
    }
  }

  #text({ start, end }: ast.Span): string {
    return this.#source.text.slice(start, end);
  }

  #warn(span: ast.Span, code: WarningCode, message: string): void {
    if (this.warnings.length < MAX_WARNINGS)
      this.warnings.push({ code, message, ...this.#source.place(span) });
  }
}

function canBeEmpty(selector: ast.Selector): boolean {
  return selector.kind !== 'self' && selector.kind !== 'constant' && selector.kind !== 'call';
}

/** Whether a function tests for emptiness itself, or requires a matching pair. */
function holdsWithoutValues(name: string): boolean {
  return name === 'isEmpty' || name === 'exists' || name === 'empty' || name.startsWith('any');
}

/** Whether a selector's results may come from a function call. */
function makesTerms(selector: ast.Selector): boolean {
  switch (selector.kind) {
    case 'call':
      return true;
    case 'path':
      return selector.steps.some(makesTerms);
    case 'union':
    case 'intersection':
      return selector.operands.some(makesTerms);
    case 'group':
    case 'filtered':
    case 'closure':
    case 'bounded':
      return makesTerms(selector.selector);
    default:
      return false;
  }
}
