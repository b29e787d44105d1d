import {
  type CompiledPath,
  type CompiledProgram,
  compilePath,
  compileProgram,
} from '../src/ldpath/compiler.ts';
import type { Selection } from '../src/pool/messages.ts';
import { SelectionMap } from '../src/pool/selection-map.ts';

export type Compiled =
  | { readonly mode: 'path'; readonly path: CompiledPath }
  | { readonly mode: 'program'; readonly program: CompiledProgram };

/** Compiles paths and programs, and keeps those that were used of late. */
export class ProgramCache {
  readonly #prefixes: Readonly<Record<string, string>>;
  readonly #programs = new SelectionMap<Compiled>();
  /** What was compiled last: evaluations that follow one another are often of one program, and need no key then. */
  #last: { readonly selection: Selection; readonly compiled: Compiled } | undefined;

  /** `prefixes`: namespaces that every program knows. */
  constructor(prefixes: Readonly<Record<string, string>>) {
    this.#prefixes = prefixes;
  }

  /** Errors: those of compilation. */
  compile(selection: Selection): Compiled {
    if (this.#last && isSame(selection, this.#last.selection)) return this.#last.compiled;
    const known = this.#programs.get(selection);
    const compiled = known ?? this.#compileAnew(selection);
    if (!known) this.#programs.set(selection, compiled);
    this.#last = { selection, compiled };
    return compiled;
  }

  #compileAnew({ mode, source, namespaces }: Selection): Compiled {
    const prefixes = namespaces === undefined ? this.#prefixes : { ...this.#prefixes, ...namespaces };
    return mode === 'path'
      ? { mode, path: compilePath(source, { prefixes }) }
      : { mode, program: compileProgram(source, { prefixes }) };
  }
}

/** May say no to selections that are the same after all. */
function isSame(x: Selection, y: Selection): boolean {
  return x.mode === y.mode && x.source === y.source && x.namespaces === y.namespaces;
}
