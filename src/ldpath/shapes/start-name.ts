import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { EvaluationContext } from '../evaluate/context.ts';
import type { ResultWriter } from '../evaluate/result-writer.ts';
import type { ValueReader } from './value-reader.ts';

/**
 * Writes the name of a start resource, an IRI or `_:label`, as the content of a JSON string,
 * without quotes.
 */
export function writeStart(
  context: EvaluationContext,
  start: TermId,
  reader: ValueReader,
  out: ResultWriter,
): void {
  if (start > NO_TERM) {
    const { terms } = context.graph;
    const from = terms.start(start);
    const bracket = terms.bytes[from] === LESS_THAN ? 1 : 0;
    out.copy(terms.bytes, from + bracket, terms.end(start) - bracket);
    return;
  }
  reader.read(context, start);
  out.copy(reader.bytes, reader.from, reader.to);
}

const LESS_THAN = 0x3c;
