import { gunzipSync } from 'node:zlib';
import { AppError } from '../../../errors.ts';
import type { PreloadedContexts } from '../../../rdf/formats/jsonld/preloaded-contexts.ts';
import { parseRdf } from '../../../rdf/formats/parse-document.ts';
import type { QuadBlock } from '../../../rdf/model/quad-block.ts';
import type { ParseJob } from '../../messages.ts';
import type { CurrentStep } from '../current-step.ts';

/** What is the same for all documents. */
export interface ParseSetup {
  /** Milliseconds: the time limit of one document. */
  readonly limitMs: number;
  readonly contexts: PreloadedContexts;
}

/**
 * Reads the document of a job. Errors: those of `parseRdf`, `too-large`, `time-limit`, `cancelled`.
 */
export function parseDocument(
  job: Omit<ParseJob, 'kind' | 'slot'>,
  step: CurrentStep,
  setup: ParseSetup,
): QuadBlock {
  const { limitMs, contexts } = setup;
  const deadline = performance.now() + limitMs;
  step.report(0, job.body.length);
  const body = decodedBody(job);
  return parseRdf(body, {
    ...job,
    contexts,
    onProgress: (bytesDone) => step.report(bytesDone, body.length),
    shouldStop: () => {
      if (performance.now() > deadline) {
        throw new AppError('time-limit', `The document could not be read in ${limitMs} ms.`);
      }
      return step.cancelled;
    },
  });
}

/** Returns the body without its content coding. Errors: `too-large`, `parse-error`. */
export function decodedBody({
  body,
  gzip,
  maxBytes,
}: Pick<ParseJob, 'body' | 'gzip' | 'maxBytes'>): Uint8Array {
  if (body.length > maxBytes) throw tooLarge(maxBytes);
  if (!gzip) return body;
  try {
    return gunzipSync(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw new AppError('parse-error', 'The body is not valid gzip.', { source: 'body' }, error);
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('too-large', `The document has more than ${maxBytes} bytes.`);
}
