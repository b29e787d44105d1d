import type { PackedOutput, SparqlOutcome, SparqlOutput } from './messages.ts';

/** Longer bodies are not copied again. */
const SHORT_BYTES = 4096;

/** `shareOrCopy`: prepares a result without a short body for a message. */
export function packOutput(
  output: SparqlOutput,
  shareOrCopy: (result: SparqlOutcome) => SparqlOutcome,
): PackedOutput {
  const bodies: Uint8Array[] = [];
  const ends: number[] = [];
  let end = 0;
  const results = output.results.map((result) => {
    const short = shortResult(result);
    if (short) bodies.push(short.body);
    end += short?.body.length ?? 0;
    ends.push(end);
    return short?.sequence ?? shareOrCopy(result);
  });
  return { ...output, results, bytes: joined(bodies, end), ends };
}

export function unpackOutput({ bytes, ends, ...output }: PackedOutput): SparqlOutput {
  const results = output.results.map((result, index): SparqlOutcome => {
    if (typeof result !== 'number') return result;
    const body = bytes.subarray(ends[index - 1] ?? 0, ends[index]!);
    return { ok: true, value: { sequence: result, body } };
  });
  return { ...output, results };
}

function shortResult(result: SparqlOutcome) {
  if (!result.ok || !('body' in result.value)) return undefined;
  return result.value.body.length <= SHORT_BYTES ? result.value : undefined;
}

/** Copies to a separate buffer, because a message includes the whole buffer of an array. */
function joined(bodies: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const body of bodies) {
    bytes.set(body, at);
    at += body.length;
  }
  return bytes;
}
