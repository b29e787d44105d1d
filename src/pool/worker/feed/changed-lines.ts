import { toErrorData } from '../../../errors.ts';
import type { ChangedResult } from '../../../ldpath/affected/changed-results.ts';
import type { CompiledProgram } from '../../../ldpath/compile/compiler.ts';
import type { ResultWriter } from '../../../ldpath/evaluate/result-writer.ts';
import type { FailedResult } from '../../program-changes.ts';

/** Writes changed results as lines of JSON. */
export class LineWriter {
  readonly errors: FailedResult[] = [];
  readonly #out: ResultWriter;
  readonly #program: CompiledProgram;
  readonly #opening: string;

  /** `position`: where a client goes on that has read a line. */
  constructor(out: ResultWriter, program: CompiledProgram, position: string) {
    this.#out = out;
    this.#program = program;
    this.#opening = `{"position":${JSON.stringify(position)},"uri":`;
  }

  write({ uri, document }: ChangedResult): void {
    const out = this.#out;
    if (document !== undefined && 'error' in document) {
      this.errors.push({ at: out.length, uri, error: toErrorData(document.error) });
      return;
    }
    out.beginResult();
    out.text(`${this.#opening}${JSON.stringify(uri)},`);
    if (document === undefined) {
      out.text('"deleted":true}\n');
      return;
    }
    out.text('"result":');
    out.copy(document.result, 0, document.result.length);
    if (this.#program.filter) out.text(',"filter":true');
    if (document.boost !== undefined) out.text(`,"boost":${document.boost}`);
    out.text('}\n');
  }
}
