import { LRUCache } from 'lru-cache';
import {
  type CompiledPath,
  type CompiledProgram,
  compilePath,
  compileProgram,
} from '../src/ldpath/compiler.ts';
import type { Selection } from '../src/pool/messages.ts';

export type Compiled =
  | { readonly mode: 'path'; readonly path: CompiledPath }
  | { readonly mode: 'program'; readonly program: CompiledProgram };

/** Programs that one thread keeps compiled, by count and by the length of their texts together. */
const CACHED_PROGRAMS = 1_000;
const CACHED_LENGTH = 8 * 1024 * 1024;

/** Compiles paths and programs, and keeps those that were used of late. */
export class ProgramCache {
  readonly #prefixes: Readonly<Record<string, string>>;
  readonly #programs = new LRUCache<string, Compiled>({
    max: CACHED_PROGRAMS,
    maxSize: CACHED_LENGTH,
    sizeCalculation: (_compiled, key) => key.length,
  });

  /** What was compiled last: evaluations that follow one another are often of one program, and need no key then. */
  #last: { readonly selection: Selection; readonly compiled: Compiled } | undefined;

  /** `prefixes`: namespaces that every program knows. */
  constructor(prefixes: Readonly<Record<string, string>>) {
    this.#prefixes = prefixes;
  }

  /** Errors: those of compilation. */
  compile(selection: Selection): Compiled {
    if (this.#last && isSame(selection, this.#last.selection)) return this.#last.compiled;
    const compiled = this.#lookUp(selection);
    this.#last = { selection, compiled };
    return compiled;
  }

  #lookUp({ mode, source, namespaces }: Selection): Compiled {
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

/** May say no to selections that are the same after all. */
function isSame(x: Selection, y: Selection): boolean {
  return x.mode === y.mode && x.source === y.source && x.namespaces === y.namespaces;
}
