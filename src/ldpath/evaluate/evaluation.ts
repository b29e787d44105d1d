/**
 * Evaluates compiled paths and programs. Each thread has one `Evaluator`, which it uses for one
 * evaluation after another:
 *
 *     const evaluator = new Evaluator();
 *     const out = evaluator.newWriter();
 *     const path = compilePath('foaf:knows/foaf:name', { prefixes });
 *     evaluator.writePath(path, graph, '<urn:x:anna>', out); // JSON array (http-api 4.2)
 *     evaluator.writeProgram(program, graph, '_:b1', out); // JSON object (http-api 4.3)
 *
 * A start node is a term in canonical N-Triples (`<iri>`, `_:label`), or its id; the graph need not
 * know it. Results are appended to `out`, which is cut back if the evaluation fails. `warnings` are
 * those of the last evaluation: values that were skipped because they did not convert or a function
 * could not use them.
 *
 * All methods throw LdPathError `budget-exceeded` and `time-limit`.
 */
import type { PathGraph } from '../../rdf/model/path-graph.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { CompiledField, CompiledPath, CompiledProgram } from '../compile/compiler.ts';
import { parseDouble } from '../compile/numbers.ts';
import type { Constants } from '../compile/scope.ts';
import { transform } from '../compile/transformers.ts';
import type { ResultShape } from '../shapes/result-shape.ts';
import { type Budget, defaultBudget } from './budget.ts';
import { type Clock, EvaluationContext, type EvaluationWarning } from './context.ts';
import { writeConverted } from './converted-json.ts';
import { type NodeObject, nodeObject } from './node-object.ts';
import { CLOSE_OBJECT, COMMA, OPEN_OBJECT, writeNodes } from './result-json.ts';
import { ResultWriter } from './result-writer.ts';

export class Evaluator {
  readonly #context: EvaluationContext;
  #graph: PathGraph | undefined;
  #graphSerial = 0;
  /** Restrictions of `#graph`, by the graph names of a program. */
  readonly #restricted = new Map<string, PathGraph>();

  constructor(budget: Partial<Budget> = {}, clock: Clock = () => performance.now()) {
    this.#context = new EvaluationContext({ ...defaultBudget, ...budget }, clock);
  }

  get warnings(): readonly EvaluationWarning[] {
    return this.#context.warnings;
  }

  /** The steps of all evaluations so far. */
  get totalSteps(): number {
    return this.#context.totalSteps;
  }

  /** Returns a writer that enforces the budget for results. */
  newWriter(): ResultWriter {
    return new ResultWriter(this.#context.budget.resultBytes);
  }

  /** Returns the terms that the path selects, including duplicates from functions (ldpath 3.2). */
  evaluatePath(path: CompiledPath, graph: PathGraph, start: StartNode): NodeObject[] {
    return this.#nodes(this.#selectPath(path, graph, start));
  }

  /** Adds the ids of the selected terms that the graph has. */
  collectStored(path: CompiledPath, graph: PathGraph, start: StartNode, into: Set<TermId>): void {
    const bottom = this.#selectPath(path, graph, start);
    const { stack } = this.#context;
    for (let i = bottom; i < stack.length; i++) if (stack[i]! > 0) into.add(stack[i]!);
    this.#context.cut(bottom);
  }

  /** Appends the JSON array of http-api 4.2: in the order of selection, without duplicates. */
  writePath(path: CompiledPath, graph: PathGraph, start: StartNode, out: ResultWriter): void {
    const before = out.length;
    try {
      const bottom = this.#selectPath(path, graph, start);
      this.#context.moveDownDistinct(bottom, bottom);
      writeNodes(this.#context, this.#context.stack, bottom, out);
    } catch (error) {
      out.length = before;
      throw error;
    }
  }

  /** Returns the values of every field, by name. */
  evaluateProgram(program: CompiledProgram, graph: PathGraph, start: StartNode): Map<string, NodeObject[]> {
    const node = this.#beginProgram(program, graph, start);
    return new Map(program.fields.map((field) => [field.name, this.#nodes(this.#selectField(field, node))]));
  }

  /** Appends the JSON object of http-api 4.3 with every field. `@filter` has no effect on it. */
  writeProgram(program: CompiledProgram, graph: PathGraph, start: StartNode, out: ResultWriter): void {
    const before = out.length;
    try {
      const node = this.#beginProgram(program, graph, start);
      out.byte(OPEN_OBJECT);
      const { fields } = program;
      for (let i = 0; i < fields.length; i++) {
        if (i > 0) out.byte(COMMA);
        this.#writeField(fields[i]!, node, out);
      }
      out.byte(CLOSE_OBJECT);
    } catch (error) {
      out.length = before;
      throw error;
    }
  }

  /**
   * Appends what the path selects, without duplicates, in a shape; the caller ends its document.
   */
  writePathIn(shape: ResultShape, path: CompiledPath, { graph, start }: Subject, out: ResultWriter): void {
    const bottom = this.#selectPath(path, graph, start);
    const context = this.#context;
    context.moveDownDistinct(bottom, bottom);
    shape.begin(context, this.#idOf(start), out);
    shape.field(context, 0, bottom, out);
  }

  /** Appends all fields in a shape; the caller ends its document. */
  writeProgramIn(
    shape: ResultShape,
    program: CompiledProgram,
    { graph, start }: Subject,
    out: ResultWriter,
  ): void {
    const context = this.#context;
    const node = this.#beginProgram(program, graph, start);
    shape.begin(context, node, out);
    const { fields } = program;
    for (let i = 0; i < fields.length; i++) {
      const bottom = this.#selectUnconverted(fields[i]!, node);
      shape.field(context, i, bottom, out);
      context.cut(bottom);
    }
  }

  /** Whether the program's `@filter` accepts the start node; true if it has none (ldpath 3.7). */
  acceptsStart(program: CompiledProgram, graph: PathGraph, start: StartNode): boolean {
    const node = this.#beginProgram(program, graph, start);
    return program.filter === undefined || program.filter(this.#context, node);
  }

  /** Returns the first number that `@boost` selects; 1 without `@boost` (ldpath 3.7). */
  boost(program: CompiledProgram, graph: PathGraph, start: StartNode): number {
    const node = this.#beginProgram(program, graph, start);
    if (program.boost === undefined) return 1;
    const { stack } = this.#context;
    const bottom = stack.length;
    program.boost(this.#context, node);
    const numbers = stack.slice(bottom).map((id) => parseDouble(this.#context.term(id).value.trim()));
    return numbers.find((number) => number !== null && Number.isFinite(number)) ?? 1;
  }

  /** Leaves the selected terms on the stack, and returns the position of the first. */
  #selectPath(path: CompiledPath, graph: PathGraph, start: StartNode): number {
    const node = this.#begin(graph, graph, path.constants, start);
    const bottom = this.#context.stack.length;
    path.select(this.#context, node);
    this.#context.step(path.site);
    return bottom;
  }

  #selectField(field: CompiledField, node: TermId): number {
    const bottom = this.#selectUnconverted(field, node);
    if (field.type !== undefined) transform(this.#context, field.type, bottom);
    return bottom;
  }

  #selectUnconverted(field: CompiledField, node: TermId): number {
    const context = this.#context;
    context.field = field.name;
    const bottom = context.stack.length;
    field.select(context, node);
    context.step(field.site);
    context.callSite = field.site;
    return bottom;
  }

  #writeField(field: CompiledField, node: TermId, out: ResultWriter): void {
    const bottom = this.#selectUnconverted(field, node);
    out.append(field.key);
    if (field.type === undefined) writeNodes(this.#context, this.#context.stack, bottom, out);
    else writeConverted(this.#context, field.type, bottom, out);
    this.#context.cut(bottom);
  }

  #beginProgram(program: CompiledProgram, graph: PathGraph, start: StartNode): TermId {
    return this.#begin(graph, this.#view(program, graph), program.constants, start);
  }

  #begin(graph: PathGraph, view: PathGraph, constants: Constants, start: StartNode): TermId {
    this.#useGraph(graph);
    this.#context.begin(view, constants.ids(graph, this.#graphSerial));
    return this.#idOf(start);
  }

  #idOf(start: StartNode): TermId {
    return typeof start === 'string' ? this.#context.intern(start) : start;
  }

  /** Returns the graph, or the part of it that `@graph` selects (Q-E7). */
  #view(program: CompiledProgram, graph: PathGraph): PathGraph {
    if (program.graphs.length === 0) return graph;
    this.#useGraph(graph);
    const key = program.graphs.join(' ');
    let view = this.#restricted.get(key);
    if (view === undefined) {
      view = graph.within(program.graphs.map((name) => graph.find(`<${name}>`)));
      this.#restricted.set(key, view);
    }
    return view;
  }

  #useGraph(graph: PathGraph): void {
    if (graph === this.#graph) return;
    this.#graph = graph;
    this.#graphSerial = ++lastGraphSerial;
    this.#restricted.clear();
  }

  /** Removes the terms on the stack from `bottom` on, and returns them as nodes. */
  #nodes(bottom: number): NodeObject[] {
    const context = this.#context;
    const nodes = context.stack.slice(bottom).map((id) => nodeObject(context.term(id)));
    context.cut(bottom);
    return nodes;
  }
}

/** What is evaluated. */
export interface Subject {
  readonly graph: PathGraph;
  readonly start: StartNode;
}

/** A term in canonical N-Triples, or its id in the graph. */
export type StartNode = string | TermId;

let lastGraphSerial = 0;
