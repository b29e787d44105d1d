import { compileAffected } from '../../ldpath/affected/program-plan.ts';
import { type Check, check } from '../../ldpath/compile/check-text.ts';
import {
  type CompiledPath,
  type CompiledProgram,
  compilePath,
  compileProgram,
} from '../../ldpath/compile/compiler.ts';
import { pathShapes, programShapes, type Shapes } from '../../ldpath/shapes/program-shapes.ts';
import type { Recorder } from '../../ldpath/trace/recorder.ts';
import { TracingScope } from '../../ldpath/trace/tracing-scope.ts';
import type { Selection, Traceability } from '../evaluation-request.ts';
import { SelectionMap } from '../runs/selection-map.ts';
import type { KnownPrefixes } from './thread-prefixes.ts';

/** `shapes`: those of the format; undefined for nodes. */
export type Compiled =
  | { readonly mode: 'path'; readonly path: CompiledPath; readonly shapes: Shapes | undefined }
  | { readonly mode: 'program'; readonly program: CompiledProgram; readonly shapes: Shapes | undefined };

/** For a selection with a format. */
export type ShapedCompiled = Compiled & { readonly shapes: Shapes };

export function isShaped(compiled: Compiled): compiled is ShapedCompiled {
  return compiled.shapes !== undefined;
}

/** Compiles paths and programs, with an LRU cache for each state of the prefixes. */
export class ProgramCache {
  #known: KnownPrefixes;
  #programs = new SelectionMap<Compiled>();
  readonly #caches = new WeakMap<KnownPrefixes, SelectionMap<Compiled>>();

  /** `known`: the prefixes that every program knows until others are used. */
  constructor(known: KnownPrefixes) {
    this.#known = known;
    this.#caches.set(known, this.#programs);
  }

  get known(): KnownPrefixes {
    return this.#known;
  }

  /** Uses the prefixes of the snapshot that the next evaluations read. */
  use(known: KnownPrefixes): void {
    if (known === this.#known) return;
    this.#known = known;
    this.#programs = this.#caches.get(known) ?? new SelectionMap();
    this.#caches.set(known, this.#programs);
  }

  /** Errors: those of compilation. */
  compile(selection: Selection): Compiled {
    const known = this.#programs.get(selection);
    if (known) return known;
    const compiled = this.#compileAnew(selection);
    this.#programs.set(selection, compiled);
    return compiled;
  }

  /** Compiles a program for one evaluation that is recorded. Errors: those of compilation. */
  compileTraced({ source, namespaces }: Selection, recorder: Recorder): CompiledProgram {
    const prefixes = this.#prefixesWith(namespaces);
    return compileProgram(source, { prefixes }, (...parts) => new TracingScope(...parts, recorder));
  }

  /** Keeps nothing: most texts that are checked are unfinished. */
  check({ mode, source, namespaces }: Selection): Check {
    return check(mode, source, { prefixes: this.#prefixesWith(namespaces) });
  }

  /** Analyses a program. Errors: those of compilation. */
  traceability({ source, namespaces }: Selection): Traceability {
    return compileAffected(source, undefined, { prefixes: this.#prefixesWith(namespaces) }).incremental;
  }

  #prefixesWith(namespaces: Selection['namespaces']): Readonly<Record<string, string>> {
    const { forPrograms } = this.#known;
    return namespaces === undefined ? forPrograms : { ...forPrograms, ...namespaces };
  }

  #compileAnew({ mode, source, namespaces, format, separator }: Selection): Compiled {
    const prefixes = this.#prefixesWith(namespaces);
    const shape = format && { format, ...(separator !== undefined && { separator }) };
    if (mode === 'path') {
      return { mode, path: compilePath(source, { prefixes }), shapes: shape && pathShapes(shape) };
    }
    const program = compileProgram(source, { prefixes });
    return { mode, program, shapes: shape && programShapes(program, shape) };
  }
}
