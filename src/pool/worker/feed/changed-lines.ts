import { toErrorData } from '../../../errors.ts';
import type { ChangedResult } from '../../../ldpath/affected/changed-results.ts';
import { EvaluationStopped, LdPathError } from '../../../ldpath/errors.ts';
import type { ResultWriter } from '../../../ldpath/evaluate/result-writer.ts';
import type { PathGraph } from '../../../rdf/model/path-graph.ts';
import type { FailedResult } from '../../program-changes.ts';
import type { PathEvaluator } from '../path-evaluator.ts';
import { type Compiled, isShaped } from '../program-cache.ts';

/** What the lines say of all results. */
export interface LineSettings {
  readonly compiled: Extract<Compiled, { mode: 'program' }>;
  /** The present state, for results in other formats than nodes. */
  readonly graph: PathGraph;
  /** Where a client goes on that has read a line. */
  readonly position: string;
}

/** Writes changed results as lines of JSON. */
export class LineWriter {
  readonly errors: FailedResult[] = [];
  /** The number of lines, those of errors included. */
  count = 0;
  readonly #out: ResultWriter;
  readonly #evaluator: PathEvaluator;
  readonly #settings: LineSettings;
  readonly #opening: string;

  constructor(out: ResultWriter, evaluator: PathEvaluator, settings: LineSettings) {
    this.#out = out;
    this.#evaluator = evaluator;
    this.#settings = settings;
    this.#opening = `{"position":${JSON.stringify(settings.position)},`;
  }

  /** May throw an `Interruption`; then the line is not written. */
  write(changed: ChangedResult): void {
    this.#write(changed);
    this.count++;
  }

  #write({ id, uri, document }: ChangedResult): void {
    const out = this.#out;
    const before = out.length;
    if (document !== undefined && 'error' in document) {
      this.#fail(before, uri, document.error);
      return;
    }
    out.beginResult();
    out.text(this.#opening);
    if (document === undefined) out.text(`"uri":${JSON.stringify(uri)},"deleted":true}\n`);
    else if (isShaped(this.#settings.compiled)) this.#writeShaped(before, id, uri);
    else this.#writeNodes(uri, document);
  }

  #writeNodes(
    uri: string,
    { result, boost }: Exclude<ChangedResult['document'], { error: LdPathError } | undefined>,
  ): void {
    const out = this.#out;
    out.text(`"uri":${JSON.stringify(uri)},"result":`);
    out.copy(result, 0, result.length);
    if (this.#settings.compiled.program.filter) out.text(',"filter":true');
    if (boost !== undefined) out.text(`,"boost":${boost}`);
    out.text('}\n');
  }

  /** The results were compared as nodes. */
  #writeShaped(before: number, id: number, uri: string): void {
    const { compiled, graph } = this.#settings;
    const out = this.#out;
    const from = out.length;
    try {
      if (isShaped(compiled)) this.#evaluator.writeListed(compiled, { graph, start: id }, false, out);
      // The position takes the place of the brace with which the line of a batch begins.
      out.remove(from, 1);
    } catch (error) {
      out.length = before;
      if (!(error instanceof LdPathError) || error instanceof EvaluationStopped) throw error;
      this.#fail(before, uri, error);
    }
  }

  #fail(at: number, uri: string, error: LdPathError): void {
    this.errors.push({ at, uri, error: toErrorData(error) });
  }
}
