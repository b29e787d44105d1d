import { LRUCache } from 'lru-cache';
import { AppError } from '../src/errors.ts';
import type { ByteWriter } from '../src/ldpath/byte-writer.ts';
import {
  type CompiledPath,
  type CompiledProgram,
  compilePath,
  compileProgram,
} from '../src/ldpath/compiler.ts';
import { Evaluator } from '../src/ldpath/evaluation.ts';
import type { Evaluation } from '../src/pool/messages.ts';
import type { WorkerData } from '../src/pool/worker-data.ts';
import type { SnapshotReader } from '../src/snapshot/reader.ts';
import type { CurrentStep } from './current-step.ts';

type Compiled =
  | { readonly mode: 'path'; readonly path: CompiledPath }
  | { readonly mode: 'program'; readonly program: CompiledProgram };

/** Programs that one thread keeps compiled, by count and by the length of their texts together. */
const CACHED_PROGRAMS = 1_000;
const CACHED_LENGTH = 8 * 1024 * 1024;

/** Evaluates paths and programs for their start resources (http-api section 4). */
export class PathEvaluator {
  readonly #prefixes: Readonly<Record<string, string>>;
  readonly #evaluator: Evaluator;
  readonly #programs = new LRUCache<string, Compiled>({
    max: CACHED_PROGRAMS,
    maxSize: CACHED_LENGTH,
    sizeCalculation: (_compiled, key) => key.length,
  });

  /** The evaluator looks at its clock now and then, and that is where it meets a cancel. */
  constructor(data: WorkerData, step: CurrentStep) {
    this.#prefixes = data.prefixes;
    this.#evaluator = new Evaluator({ milliseconds: data.evaluationMs }, () => {
      step.throwIfCancelled();
      return performance.now();
    });
  }

  /** Appends the answer. Errors: those of compilation and evaluation, `resource-not-found` (http-api P-2). */
  write(evaluation: Evaluation, graph: SnapshotReader, out: ByteWriter): void {
    const compiled = this.#compile(evaluation);
    const start = startTerm(evaluation.start);
    if (!evaluation.known && !graph.mentions(graph.find(start))) {
      const message = `There is no resource ${evaluation.start}.`;
      throw new AppError('resource-not-found', message, { uri: evaluation.start });
    }
    if (compiled.mode === 'path') this.#evaluator.writePath(compiled.path, graph, start, out);
    else this.#evaluator.writeProgram(compiled.program, graph, start, out);
  }

  #compile({ mode, source, namespaces }: Evaluation): Compiled {
    const key = `${mode}${namespaces === undefined ? '' : JSON.stringify(namespaces)}\n${source}`;
    const known = this.#programs.get(key);
    if (known) return known;
    const prefixes = namespaces === undefined ? this.#prefixes : { ...this.#prefixes, ...namespaces };
    const compiled: Compiled =
      mode === 'path'
        ? { mode, path: compilePath(source, { prefixes }) }
        : { mode, program: compileProgram(source, { prefixes }) };
    this.#programs.set(key, compiled);
    return compiled;
  }
}

/** Canonical N-Triples form of an absolute IRI or of `_:label`. */
function startTerm(start: string): string {
  return start.startsWith('_:') ? start : `<${start}>`;
}
