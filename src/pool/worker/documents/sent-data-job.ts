import { AppError, type ErrorData, errorData, fromErrorData, toErrorData } from '../../../errors.ts';
import { IndexedGraph, type TextQuad } from '../../../ldpath/evaluate/indexed-graph.ts';
import { ResultWriter } from '../../../ldpath/evaluate/result-writer.ts';
import { noFrame } from '../../../ldpath/shapes/result-shape.ts';
import { NO_GRAPH, type QuadBlock } from '../../../rdf/model/quad-block.ts';
import type { DeclaredStartSet } from '../../../rdf/model/resources/start-set.ts';
import { RDF } from '../../../rdf/model/term.ts';
import { isIriTerm } from '../../../rdf/model/triple-term.ts';
import type { NamedError, SentDataJob, SentDataOutput } from '../../messages.ts';
import { type CurrentStep, cancelledError } from '../current-step.ts';
import { Interruption, type PathEvaluator } from '../path-evaluator.ts';
import { type ParseSetup, parseDocument } from './parse-job.ts';

/** Reads the data of a job; errors as those of `parseDocument`, with the source `data`. */
export function parseSent(
  document: SentDataJob['document'],
  step: CurrentStep,
  setup: ParseSetup,
): QuadBlock {
  try {
    return parseDocument({ ...document, brief: false }, step, setup);
  } catch (error) {
    const { code, message, details } = toErrorData(error);
    if (details.source !== 'body') throw error;
    throw new AppError(code, message, { ...details, source: 'data' }, error);
  }
}

/** The limits of one job. */
export interface SentDataLimits {
  /** Bytes of the results together. */
  readonly resultBytes: number;
  /** Quads of the data, repeated ones included. */
  readonly quads: number;
}

/** Evaluates a selection on data that were sent with it. */
export class SentDataRunner {
  readonly #evaluator: PathEvaluator;
  readonly #step: CurrentStep;
  readonly #limits: SentDataLimits;

  constructor(evaluator: PathEvaluator, step: CurrentStep, limits: SentDataLimits) {
    this.#evaluator = evaluator;
    this.#step = step;
    this.#limits = limits;
  }

  /** Errors: those of compilation, `too-large`, `budget-exceeded`, `time-limit`, `cancelled`. */
  run(job: SentDataJob, block: QuadBlock): SentDataOutput {
    const { shapes } = this.#evaluator.programs.compile(job.selection);
    this.#checkSize(block);
    const texts = termTexts(block);
    const starts = isList(job.starts) ? job.starts : membersOf(job.starts, quadsOf(block, texts));
    const graph = IndexedGraph.of(quadsOf(block, texts));
    const out = new ResultWriter(this.#limits.resultBytes);
    const errors: NamedError[] = [];
    this.#evaluator.extension = () => 0;
    this.#evaluator.sliceEnd = performance.now() + job.limitMs;
    try {
      for (const uri of starts) {
        this.#step.throwIfCancelled();
        const error = this.#write(uri, job, graph, out);
        if (error) errors.push({ at: out.length, uri, error });
      }
    } finally {
      this.#evaluator.sliceEnd = Number.POSITIVE_INFINITY;
    }
    return { bytes: out.slice(), errors, count: starts.length, frame: shapes?.listed.frame ?? noFrame };
  }

  /** A heap that overflows could end the process. */
  #checkSize({ quads }: QuadBlock): void {
    const most = this.#limits.quads;
    if (quads.length <= 4 * most) return;
    throw new AppError('too-large', `The data have more than ${most} quads.`, { source: 'data' });
  }

  /** Returns the error of one start resource. An error that ends the job is thrown. */
  #write(uri: string, job: SentDataJob, graph: IndexedGraph, out: ResultWriter): ErrorData | undefined {
    const { selection, lenient, limitMs } = job;
    const evaluation = { ...selection, start: uri, known: lenient, resultKind: 'line' as const };
    const before = out.length;
    if (uri.startsWith('_:')) return unnamedNode(uri);
    try {
      this.#evaluator.writeWithin(evaluation, graph, out);
      return undefined;
    } catch (error) {
      out.length = before;
      if (error instanceof Interruption) {
        if (error.reason !== 'slice-end') throw cancelledError();
        throw new AppError('time-limit', `The evaluations took longer than ${limitMs} ms.`);
      }
      const data = toErrorData(error);
      // The results together may have no more bytes than one result elsewhere.
      if (data.code === 'budget-exceeded') throw fromErrorData(data);
      return data;
    }
  }
}

/** Threads give labels of their own to the blank nodes of a document. */
function unnamedNode(uri: string): ErrorData {
  const message = `${uri} is a blank node, which has no name outside of the data. Start resources are IRIs.`;
  return errorData('bad-iri', message, { uri });
}

function isList(starts: SentDataJob['starts']): starts is readonly string[] {
  return Array.isArray(starts);
}

function termTexts({ termBytes, termOffsets }: QuadBlock): string[] {
  const decoder = new TextDecoder();
  return Array.from({ length: termOffsets.length - 1 }, (_, i) =>
    decoder.decode(termBytes.subarray(termOffsets[i], termOffsets[i + 1])),
  );
}

function* quadsOf({ quads }: QuadBlock, texts: readonly string[]): Generator<TextQuad> {
  for (let i = 0; i < quads.length; i += 4) {
    const graph = quads[i + 3]!;
    yield {
      subject: texts[quads[i]!]!,
      predicate: texts[quads[i + 1]!]!,
      object: texts[quads[i + 2]!]!,
      ...(graph !== NO_GRAPH && { graph: texts[graph]! }),
    };
  }
}

const RDF_TYPE = `<${RDF}type>`;

/** Returns the IRIs of a set, in the order of the data. */
function membersOf(set: DeclaredStartSet, quads: Iterable<TextQuad>): string[] {
  const members = new Set<string>();
  for (const quad of quads) if (isIriTerm(quad.subject) && isIn(set, quad)) members.add(quad.subject);
  return Array.from(members, (text) => text.slice(1, -1));
}

function isIn(set: DeclaredStartSet, { predicate, object, graph }: TextQuad): boolean {
  switch (set.kind) {
    case 'type':
      return predicate === RDF_TYPE && object === `<${set.iri}>`;
    case 'graph':
      return graph === `<${set.iri}>`;
    case 'subjects':
      return true;
  }
}
