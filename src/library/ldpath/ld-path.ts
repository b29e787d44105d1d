import {
  type CompiledPath,
  type CompiledProgram,
  compilePath,
  compileProgram,
} from '../../ldpath/compile/compiler.ts';
import { type Budget, defaultBudget } from '../../ldpath/evaluate/budget.ts';
import { Evaluator } from '../../ldpath/evaluate/evaluation.ts';
import type { NodeObject } from '../../ldpath/evaluate/node-object.ts';
import type { ResultWriter } from '../../ldpath/evaluate/result-writer.ts';
import type * as ast from '../../ldpath/syntax/ast.ts';
import { parsePath, parseProgram } from '../../ldpath/syntax/parser.ts';
import { iriError } from '../../rdf/model/iri.ts';
import type { PathGraph } from '../../rdf/model/path-graph.ts';
import { termOf } from './make-terms.ts';
import type { Term, TermLike } from './rdf-terms.ts';
import { canonicalText } from './read-terms.ts';

export interface LdPathOptions {
  /** Namespaces that paths and programs need not declare, besides the ten that the language has. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  /** Limits of each evaluation; what is left out or undefined has the default of the server. */
  readonly budget?: { readonly [Limit in keyof Budget]?: Budget[Limit] | undefined } | undefined;
}

/** An IRI, a blank node as `_:label`, or a term of RDF/JS. The graph need not know it. */
export type Start = string | TermLike;

/** A value that was skipped, because it did not convert or a function could not use it. */
export interface Skipped {
  /** The name of the field; empty for a path. */
  readonly field: string;
  readonly message: string;
}

export interface ProgramDetails {
  readonly result: Record<string, NodeObject[]>;
  readonly skipped: readonly Skipped[];
  /** Whether `@filter` accepts the start resource; true without one. */
  readonly filter: boolean;
  /** What `@boost` selects; 1 without one. */
  readonly boost: number;
}

/** A construct that is legal but probably not intended. */
export interface CompilerWarning {
  readonly message: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

/** A compiled path. Its methods throw LdPathError `budget-exceeded` and `time-limit`. */
export interface Path {
  readonly warnings: readonly CompilerWarning[];
  /** Returns what the path selects, each node once, as the HTTP interface does (http-api 4.2). */
  nodes(graph: PathGraph, start: Start): NodeObject[];
  /** Returns the same as terms of RDF/JS. */
  terms(graph: PathGraph, start: Start): Term[];
}

/** A compiled program. Its methods throw LdPathError `budget-exceeded` and `time-limit`. */
export interface Program {
  readonly warnings: readonly CompilerWarning[];
  /** Returns the values of all fields, as the HTTP interface does (http-api 4.3). */
  nodes(graph: PathGraph, start: Start): Record<string, NodeObject[]>;
  /** Returns the same as terms of RDF/JS. */
  terms(graph: PathGraph, start: Start): Record<string, Term[]>;
  /** Returns the values with what was skipped, and the values of `@filter` and `@boost`. */
  details(graph: PathGraph, start: Start): ProgramDetails;
}

/**
 * The language with its options. All methods are synchronous; what they compile shares one
 * evaluator, so that evaluations reuse its memory.
 *
 * @throws RangeError for a budget that is not a positive number, and a namespace that is not an IRI
 */
export class LdPath {
  readonly #prefixes: Readonly<Record<string, string>>;
  readonly #engine: Engine;

  constructor({ prefixes = {}, budget = {} }: LdPathOptions = {}) {
    checkPrefixes(prefixes);
    this.#prefixes = { ...prefixes };
    this.#engine = new Engine(givenLimits(budget));
  }

  /** Parses a path to its syntax tree. @throws LdPathError `parse-error`, `unknown-prefix` */
  parsePath(source: string): ast.Selector {
    return parsePath(source, this.#prefixes).path;
  }

  /** Parses a program to its syntax tree. @throws LdPathError `parse-error`, `unknown-prefix` */
  parseProgram(source: string): ast.Program {
    return parseProgram(source, this.#prefixes).program;
  }

  /**
   * Compiles a path.
   * @throws LdPathError `parse-error`, `unknown-prefix`, `unknown-function`, `bad-arguments`
   */
  path(source: string): Path {
    return new ReusablePath(compilePath(source, { prefixes: this.#prefixes }), this.#engine);
  }

  /**
   * Compiles a program.
   * @throws LdPathError `parse-error`, `unknown-prefix`, `unknown-function`, `bad-arguments`
   */
  program(source: string): Program {
    return new ReusableProgram(compileProgram(source, { prefixes: this.#prefixes }), this.#engine);
  }
}

class ReusablePath implements Path {
  readonly warnings: readonly CompilerWarning[];
  readonly #path: CompiledPath;
  readonly #engine: Engine;

  constructor(path: CompiledPath, engine: Engine) {
    this.warnings = path.warnings;
    this.#path = path;
    this.#engine = engine;
  }

  nodes(graph: PathGraph, start: Start): NodeObject[] {
    const text = startText(start);
    return this.#engine.json((evaluator, out) => evaluator.writePath(this.#path, graph, text, out));
  }

  terms(graph: PathGraph, start: Start): Term[] {
    return this.nodes(graph, start).map(termOf);
  }
}

class ReusableProgram implements Program {
  readonly warnings: readonly CompilerWarning[];
  readonly #program: CompiledProgram;
  readonly #engine: Engine;

  constructor(program: CompiledProgram, engine: Engine) {
    this.warnings = program.warnings;
    this.#program = program;
    this.#engine = engine;
  }

  nodes(graph: PathGraph, start: Start): Record<string, NodeObject[]> {
    const text = startText(start);
    return this.#engine.json((evaluator, out) => evaluator.writeProgram(this.#program, graph, text, out));
  }

  terms(graph: PathGraph, start: Start): Record<string, Term[]> {
    const fields = Object.entries(this.nodes(graph, start));
    return Object.fromEntries(fields.map(([name, nodes]) => [name, nodes.map(termOf)]));
  }

  details(graph: PathGraph, start: Start): ProgramDetails {
    const result = this.nodes(graph, start);
    const { evaluator } = this.#engine;
    const skipped = [...evaluator.warnings];
    const text = startText(start);
    const filter = evaluator.acceptsStart(this.#program, graph, text);
    const boost = evaluator.boost(this.#program, graph, text);
    return { result, skipped, filter, boost };
  }
}

/** An evaluator, and the buffer for its results. */
class Engine {
  readonly evaluator: Evaluator;
  readonly #out: ResultWriter;

  constructor(budget: Partial<Budget>) {
    this.evaluator = new Evaluator(budget);
    this.#out = this.evaluator.newWriter();
  }

  json<T>(write: (evaluator: Evaluator, out: ResultWriter) => void): T {
    const out = this.#out;
    out.clear();
    write(this.evaluator, out);
    return JSON.parse(Buffer.from(out.bytes.buffer, out.bytes.byteOffset, out.length).toString()) as T;
  }
}

function startText(start: Start): string {
  if (typeof start !== 'string') return canonicalText(start);
  if (start.startsWith('_:')) return canonicalText({ termType: 'BlankNode', value: start.slice(2) });
  return canonicalText({ termType: 'NamedNode', value: start });
}

function checkPrefixes(prefixes: Readonly<Record<string, string>>): void {
  for (const [prefix, namespace] of Object.entries(prefixes)) {
    const error = iriError(namespace);
    if (error !== undefined) throw new RangeError(`The namespace of the prefix "${prefix}": ${error}.`);
  }
}

/** @throws RangeError for an unknown limit, and for one that is not a positive number */
function givenLimits(budget: NonNullable<LdPathOptions['budget']>): Partial<Budget> {
  const given: [string, number][] = [];
  for (const [name, value] of Object.entries(budget)) {
    if (!Object.hasOwn(defaultBudget, name)) {
      throw new RangeError(`There is no budget "${name}", only ${Object.keys(defaultBudget).join(', ')}.`);
    }
    if (value === undefined) continue;
    if (!(value > 0)) throw new RangeError(`The budget "${name}" must be a positive number.`);
    given.push([name, value]);
  }
  return Object.fromEntries(given);
}
