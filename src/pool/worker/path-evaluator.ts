import { piece } from '../../base/bytes/writer.ts';
import { AppError } from '../../errors.ts';
import type { CompiledProgram } from '../../ldpath/compile/compiler.ts';
import { EvaluationStopped } from '../../ldpath/errors.ts';
import { Evaluator, type StartNode, type Subject } from '../../ldpath/evaluate/evaluation.ts';
import type { ResultWriter } from '../../ldpath/evaluate/result-writer.ts';
import { noFrame, type ResultShape } from '../../ldpath/shapes/result-shape.ts';
import { SourceText } from '../../ldpath/syntax/source-text.ts';
import { Recorder } from '../../ldpath/trace/recorder.ts';
import type { TraceLimits } from '../../ldpath/trace/trace.ts';
import { TracingGraph } from '../../ldpath/trace/tracing-graph.ts';
import { compareCodePoints } from '../../rdf/model/code-points.ts';
import { iriError } from '../../rdf/model/iri.ts';
import type { PathGraph } from '../../rdf/model/path-graph.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import { isTripleTerm } from '../../rdf/model/triple-term.ts';
import type { Evaluation, Selection } from '../evaluation-request.ts';
import type { WorkerData } from '../threads/worker-data.ts';
import { type CurrentStep, cancelledError } from './current-step.ts';
import { type Compiled, isShaped, ProgramCache, type ShapedCompiled } from './program-cache.ts';
import { fixedPrefixes } from './thread-prefixes.ts';

type InterruptionReason = 'cancelled' | 'preempted' | 'slice-end';

/**
 * Thrown when an evaluation is stopped from outside: its job was cancelled, its thread was
 * preempted, or it exceeded the time that its caller allows here. It is an error of the language's
 * own kind, since functions treat other errors as defects of a value and continue without it.
 */
export class Interruption extends EvaluationStopped {
  readonly reason: InterruptionReason;

  constructor(reason: InterruptionReason) {
    super();
    this.reason = reason;
  }
}

/** The cost of an evaluation. */
interface Effort {
  readonly steps: number;
  readonly milliseconds: number;
}

const resultMember = piece('"result":');
const closeLine = piece('}\n');

/** Evaluates paths and programs for their start resources (http-api section 4). */
export class PathEvaluator {
  readonly programs: ProgramCache;
  /** The results that were computed so far, those too that ended in an error. */
  evaluations = 0;
  /** Its evaluations may throw an `Interruption`. */
  readonly evaluator: Evaluator;
  readonly #budget: WorkerData['budget'];
  /**
   * When evaluations stop with an `Interruption`, unless their thread is preempted before; by
   * `performance.now`.
   */
  sliceEnd = Number.POSITIVE_INFINITY;
  /** Called at that time. Returns the milliseconds for which they may still go on. */
  extension: () => number = () => 0;

  /** The evaluator checks its clock regularly, and notices a cancellation then. */
  constructor(data: WorkerData, step: CurrentStep) {
    this.programs = new ProgramCache(fixedPrefixes(data));
    this.#budget = data.budget;
    this.evaluator = new Evaluator(data.budget, (steps) => {
      step.report(steps, data.budget.steps);
      if (step.cancelled) throw new Interruption('cancelled');
      const now = performance.now();
      if (step.preempted) throw new Interruption('preempted');
      if (now > this.sliceEnd) this.#extend(now);
      return now;
    });
  }

  /** The steps of all evaluations so far. */
  get totalSteps(): number {
    return this.evaluator.totalSteps;
  }

  #extend(now: number): void {
    const milliseconds = this.extension();
    if (milliseconds <= 0) throw new Interruption('slice-end');
    this.sliceEnd = now + milliseconds;
  }

  /**
   * Appends the result (see `ResultKind`). Errors: those of compilation and evaluation, `bad-iri`,
   * `resource-not-found` (http-api P-2), `cancelled`.
   */
  write(evaluation: Evaluation, graph: PathGraph, out: ResultWriter): void {
    const before = out.length;
    try {
      this.writeWithin(evaluation, graph, out);
    } catch (error) {
      out.length = before;
      throw error instanceof Interruption ? cancelledError() : error;
    }
  }

  /** The same, but throws an `Interruption` as it is, and leaves what was written. */
  writeWithin(evaluation: Evaluation, graph: PathGraph, out: ResultWriter): void {
    if (evaluation.resultKind === 'check') {
      out.text(JSON.stringify(this.programs.check(evaluation)));
      return;
    }
    const compiled = this.programs.compile(evaluation);
    if (evaluation.resultKind === 'warnings') {
      out.text(JSON.stringify((compiled.mode === 'path' ? compiled.path : compiled.program).warnings));
      return;
    }
    if (evaluation.resultKind === 'traceability') {
      out.text(JSON.stringify(this.programs.traceability(evaluation)));
      return;
    }
    if (evaluation.resultKind === 'frame') {
      out.text(JSON.stringify(compiled.shapes?.listed.frame ?? noFrame));
      return;
    }
    const start = existingStart(evaluation.start, evaluation.known, graph);
    switch (evaluation.resultKind) {
      case 'line':
      case 'accepted':
        this.#writeLine(compiled, evaluation, { graph, start }, out);
        break;
      case 'details':
        if (evaluation.trace) this.#writeTraced(evaluation, evaluation.trace, { graph, start }, out);
        else this.#writeDetails(compiled, { graph, start }, out);
        break;
      case 'predicates':
        out.text(JSON.stringify(this.#predicates(compiled, graph, start)));
        break;
      default:
        if (isShaped(compiled)) this.#writeAlone(compiled, { graph, start }, out);
        else this.#writeResult(compiled, graph, start, out);
    }
  }

  /** `evaluation`: has the start resource as the client wrote it. */
  #writeLine(compiled: Compiled, evaluation: Evaluation, subject: Subject, out: ResultWriter): void {
    const filtered = evaluation.resultKind === 'accepted';
    if (isShaped(compiled)) {
      this.writeListed(compiled, subject, filtered, out);
      return;
    }
    const { graph, start } = subject;
    const before = out.length;
    out.text(`{"uri":${JSON.stringify(evaluation.start)},`);
    if (!filtered) this.writeMembers(compiled, graph, start, out);
    else if (!this.writeAccepted(compiled, graph, start, out)) {
      out.length = before;
      return;
    }
    out.append(closeLine);
  }

  /**
   * Appends the result `members` for an existing start resource, in canonical form or as an id. May
   * throw an `Interruption`.
   */
  writeMembers(compiled: Compiled, graph: PathGraph, start: StartNode, out: ResultWriter): void {
    out.append(resultMember);
    this.#writeResult(compiled, graph, start, out);
    if (compiled.mode === 'program') this.#writeDirectives(compiled.program, graph, start, out);
  }

  /**
   * Appends the same if the program's `@filter` accepts the start resource. Returns whether it
   * does.
   */
  writeAccepted(compiled: Compiled, graph: PathGraph, start: StartNode, out: ResultWriter): boolean {
    if (compiled.mode === 'path') {
      this.writeMembers(compiled, graph, start, out);
      return true;
    }
    const { program } = compiled;
    if (!this.evaluator.acceptsStart(program, graph, start)) return false;
    out.append(resultMember);
    this.#writeResult(compiled, graph, start, out);
    if (program.filter) writeFilter(true, out);
    this.#writeBoost(program, graph, start, out);
    return true;
  }

  /**
   * Adds the ids of the stored terms that a path selects. Errors: those of compilation and
   * evaluation, `resource-not-found`, `cancelled`.
   */
  collect(selection: Selection, graph: PathGraph, start: string, into: Set<TermId>): void {
    const compiled = this.programs.compile(selection);
    if (compiled.mode !== 'path') throw new AppError('bad-arguments', 'Only a path selects resources.');
    try {
      this.evaluations++;
      this.evaluator.collectStored(compiled.path, graph, existingStart(start, true, graph), into);
    } catch (error) {
      throw error instanceof Interruption ? cancelledError() : error;
    }
  }

  /**
   * Appends the document of one of several start resources in the format of the selection; returns
   * whether there is one. A start resource that `@filter` rejects has none if they are `filtered`,
   * nor in the formats for tables and indexes. May throw an `Interruption`.
   */
  writeListed(compiled: ShapedCompiled, subject: Subject, filtered: boolean, out: ResultWriter): boolean {
    const { listed } = compiled.shapes;
    const filter = this.#filterOf(compiled, subject);
    if (filter === false && (filtered || listed.omitsRejected)) return false;
    this.#writeDocument(listed, compiled, subject, out);
    listed.end({ filter, boost: this.#boostOf(compiled, subject) }, out);
    return true;
  }

  /** Appends the whole response with the only document. `@filter` hides nothing (http-api 4.3). */
  #writeAlone(compiled: ShapedCompiled, subject: Subject, out: ResultWriter): void {
    const { alone } = compiled.shapes;
    const { head, tail, lead } = alone.frame;
    out.text(head);
    const from = out.length;
    this.#writeDocument(alone, compiled, subject, out);
    alone.end({ filter: undefined, boost: this.#boostOf(compiled, subject) }, out);
    out.remove(from, lead);
    out.text(tail);
  }

  #writeDocument(shape: ResultShape, compiled: Compiled, subject: Subject, out: ResultWriter): void {
    this.evaluations++;
    if (compiled.mode === 'path') this.evaluator.writePathIn(shape, compiled.path, subject, out);
    else this.evaluator.writeProgramIn(shape, compiled.program, subject, out);
  }

  /** Undefined if the program has no `@filter`. */
  #filterOf(compiled: Compiled, { graph, start }: Subject): boolean | undefined {
    if (compiled.mode === 'path' || !compiled.program.filter) return undefined;
    return this.evaluator.acceptsStart(compiled.program, graph, start);
  }

  /** Undefined if the program has no `@boost`. */
  #boostOf(compiled: Compiled, { graph, start }: Subject): number | undefined {
    if (compiled.mode === 'path' || !compiled.program.boost) return undefined;
    return this.evaluator.boost(compiled.program, graph, start);
  }

  #writeResult(compiled: Compiled, graph: PathGraph, start: StartNode, out: ResultWriter): void {
    this.evaluations++;
    if (compiled.mode === 'path') this.evaluator.writePath(compiled.path, graph, start, out);
    else this.evaluator.writeProgram(compiled.program, graph, start, out);
  }

  /** Appends the values of `@filter` and `@boost` for the start resource (ldpath 3.7). */
  #writeDirectives(program: CompiledProgram, graph: PathGraph, start: StartNode, out: ResultWriter): void {
    if (program.filter) writeFilter(this.evaluator.acceptsStart(program, graph, start), out);
    this.#writeBoost(program, graph, start, out);
  }

  /** Appends the value of `@boost` for the start resource (ldpath 3.7), if the program has it. */
  #writeBoost(program: CompiledProgram, graph: PathGraph, start: StartNode, out: ResultWriter): void {
    if (program.boost) out.text(`,"boost":${this.evaluator.boost(program, graph, start)}`);
  }

  /** Returns what the result has cost. */
  #writeDetails(compiled: Compiled, { graph, start }: Subject, out: ResultWriter): Effort {
    const before = this.totalSteps;
    const began = performance.now();
    out.append(resultMember);
    this.#writeResult(compiled, graph, start, out);
    const effort = { steps: this.totalSteps - before, milliseconds: performance.now() - began };
    out.text(`,"skipped":${JSON.stringify(this.evaluator.warnings)}`);
    if (compiled.mode === 'program') this.#writeDirectives(compiled.program, graph, start, out);
    return effort;
  }

  #writeTraced(evaluation: Evaluation, limits: TraceLimits, subject: Subject, out: ResultWriter): void {
    if (evaluation.mode === 'path') throw new AppError('bad-arguments', 'Only a program can be traced.');
    const { graph, start } = subject;
    const recorder = new Recorder(graph, limits);
    const program = this.programs.compileTraced(evaluation, recorder);
    const compiled = { mode: 'program', program, shapes: undefined } as const;
    const effort = this.#writeDetails(compiled, { graph: new TracingGraph(graph, recorder), start }, out);
    const { steps, milliseconds } = this.#budget;
    const trace = recorder.trace(new SourceText(evaluation.source, 'program'));
    out.text(`,"trace":${JSON.stringify({ ...trace, ...effort, budget: { steps, milliseconds } })}`);
  }

  #predicates(compiled: Compiled, graph: PathGraph, start: StartNode): string[] {
    if (compiled.mode !== 'path')
      throw new AppError('bad-arguments', 'Predicates can only be requested for a path.');
    const ids = new Set<number>();
    const found: number[] = [];
    for (const { type, value } of this.evaluator.evaluatePath(compiled.path, graph, start)) {
      if (type === 'literal') continue;
      graph.predicates(graph.find(type === 'uri' ? `<${value}>` : `_:${value}`), found);
      for (const id of found) ids.add(id);
      found.length = 0;
    }
    return Array.from(ids, (id) => graph.text(id).slice(1, -1)).sort(compareCodePoints);
  }
}

/** Appends the value of `@filter` (ldpath 3.7). */
function writeFilter(accepts: boolean, out: ResultWriter): void {
  out.text(`,"filter":${accepts}`);
}

/**
 * Returns the id of a start resource, which is an absolute IRI or `_:label`; or its canonical form
 * if no triple mentions it. Only then is the IRI checked: data of earlier versions may have others
 * than G-17 allows. Errors: `bad-iri`, `resource-not-found`.
 */
export function existingStart(start: string, known: boolean, graph: PathGraph): StartNode {
  const term = start.startsWith('_:') ? start : `<${start}>`;
  const id = graph.find(term);
  if (graph.mentions(id) && !isTripleTerm(term)) return id;
  const error = term === start ? undefined : iriError(start);
  if (error !== undefined) throw new AppError('bad-iri', `${error}.`, { uri: start });
  if (known) return term;
  throw new AppError('resource-not-found', `There is no resource ${start}.`, { uri: start });
}
