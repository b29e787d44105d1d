import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceFile } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

/** The project's compiler: syntax trees, and whether a changed file still passes the type check. */
export class Compiler {
  readonly #root: string;
  readonly #config: string;
  /** What the compiler reads in place of files on disk. */
  readonly #changed = new Map<string, string>();
  readonly #api: API;

  constructor(root: string) {
    this.#root = root;
    this.#config = join(root, 'tsconfig.json');
    this.#api = new API({ cwd: root, fs: { readFile: (name) => this.#changed.get(name) } });
  }

  parse(file: string): SourceFile {
    const snapshot = this.#api.updateSnapshot({ openProjects: [this.#config] });
    const parsed = snapshot.getProject(this.#config)?.program.getSourceFile(join(this.#root, file));
    if (!parsed) throw new Error(`${file} does not belong to ${this.#config}.`);
    return parsed;
  }

  /** Checks only the file itself: a change within a function seldom breaks the types of others. */
  accepts(file: string, text: string): boolean {
    const path = join(this.#root, file);
    this.#changed.set(path, text);
    const snapshot = this.#api.updateSnapshot({ fileChanges: { changed: [path] } });
    const program = snapshot.getProject(this.#config)!.program;
    const faults = [program.getSyntacticDiagnostics(path), program.getSemanticDiagnostics(path)].flat();
    snapshot.dispose();
    this.#changed.set(path, readFileSync(path, 'utf8'));
    this.#api.updateSnapshot({ fileChanges: { changed: [path] } }).dispose();
    return faults.length === 0;
  }

  close(): void {
    this.#api.close();
  }
}
