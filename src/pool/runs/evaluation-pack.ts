import { type Evaluation, resultKinds } from '../evaluation-request.ts';

/**
 * Evaluations as one string and their lengths. Passing two values instead of a few hundred takes a
 * third of the time, and that time is the main thread's.
 */
export interface EvaluationPack {
  /** Source, start and `Extra` (as JSON) of each evaluation, one after another. */
  readonly text: string;
  /**
   * For each evaluation: flags, and the lengths of its three parts. A source that equals the
   * previous one is omitted: `SAME`.
   */
  readonly lengths: Int32Array;
}

/** What few evaluations have. */
type Extra = Pick<Evaluation, 'namespaces' | 'format' | 'separator' | 'trace' | 'visible'>;

const FIELDS = 4;
const SAME = -1;
const PROGRAM = 1;
const KNOWN = 2;
/** Bits above the flags: the index in `resultKinds`. */
const KIND_SHIFT = 2;

export function packEvaluations(evaluations: readonly Evaluation[]): EvaluationPack {
  const lengths = new Int32Array(evaluations.length * FIELDS);
  let text = '';
  let lastSource: string | undefined;
  let at = 0;
  for (const evaluation of evaluations) {
    const { mode, source, start, known, resultKind = 'result' } = evaluation;
    const same = source === lastSource;
    const extra = extraOf(evaluation);
    const flags = (mode === 'program' ? PROGRAM : 0) | (known ? KNOWN : 0);
    lengths[at++] = flags | (resultKinds.indexOf(resultKind) << KIND_SHIFT);
    lengths[at++] = same ? SAME : source.length;
    lengths[at++] = start.length;
    lengths[at++] = extra.length;
    text += same ? start + extra : source + start + extra;
    lastSource = source;
  }
  return { text, lengths };
}

function extraOf({ namespaces, format, separator, trace, visible }: Extra): string {
  if (namespaces === undefined && format === undefined && trace === undefined && visible === undefined) {
    return '';
  }
  return JSON.stringify({ namespaces, format, separator, trace, visible });
}

export function unpackEvaluations({ text, lengths }: EvaluationPack): Evaluation[] {
  const evaluations: Evaluation[] = [];
  let offset = 0;
  let source = '';
  const part = (length: number) => {
    offset += length;
    return text.slice(offset - length, offset);
  };
  for (let at = 0; at < lengths.length; at += FIELDS) {
    const flags = lengths[at]!;
    if (lengths[at + 1] !== SAME) source = part(lengths[at + 1]!);
    const start = part(lengths[at + 2]!);
    const extra = part(lengths[at + 3]!);
    evaluations.push({
      mode: flags & PROGRAM ? 'program' : 'path',
      source,
      start,
      known: (flags & KNOWN) !== 0,
      resultKind: resultKinds[flags >> KIND_SHIFT]!,
      ...(extra === '' ? undefined : (JSON.parse(extra) as Extra)),
    });
  }
  return evaluations;
}
