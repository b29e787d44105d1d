import type { PackedOutput, SparqlOutcome, SparqlOutput } from './messages.ts';

/** Longer bodies are not copied once more. */
const SHORT_BYTES = 4096;
const nothing = new Uint8Array(0);

/** `leaving`: makes what has no short body fit for a message. */
export function packOutput(
  output: SparqlOutput,
  leaving: (result: SparqlOutcome) => SparqlOutcome,
): PackedOutput {
  const bodies: Uint8Array[] = [];
  const ends: number[] = [];
  let end = 0;
  const results = output.results.map((result) => {
    const body = shortBody(result);
    if (body) bodies.push(body);
    end += body?.length ?? 0;
    ends.push(end);
    return body ? withBody(result, nothing) : leaving(result);
  });
  return { ...output, results, bytes: new Uint8Array(Buffer.concat(bodies)), ends };
}

export function unpackOutput({ bytes, ends, ...output }: PackedOutput): SparqlOutput {
  const results = output.results.map((result, index) => {
    const [from, to] = [ends[index - 1] ?? 0, ends[index]!];
    return to > from ? withBody(result, bytes.subarray(from, to)) : result;
  });
  return { ...output, results };
}

function shortBody(result: SparqlOutcome): Uint8Array | undefined {
  if (!result.ok || !('body' in result.value)) return undefined;
  const { body } = result.value;
  return body.length <= SHORT_BYTES ? body : undefined;
}

function withBody(result: SparqlOutcome, body: Uint8Array): SparqlOutcome {
  return result.ok ? { ok: true, value: { ...result.value, body } } : result;
}
