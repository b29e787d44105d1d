/**
 * Start resources on their way to a thread: canonical forms (`<iri>`, `_:label`) in UTF-8, with anything between them. A
 * thread looks them up as they are, and makes no texts of them.
 */
export interface StartPack {
  readonly bytes: Uint8Array;
  /** For each start, where its form begins in `bytes` and where it ends. An empty form is that of a text which is none. */
  readonly bounds: Uint32Array;
}

const decoder = new TextDecoder();

export function startCount({ bounds }: StartPack): number {
  return bounds.length / 2;
}

/** The start as clients write it: an IRI without its brackets, or `_:label`. */
export function startText({ bytes, bounds }: StartPack, index: number): string {
  return clientText(decoder.decode(bytes.subarray(bounds[2 * index], bounds[2 * index + 1])));
}

/** Packs starts as clients write them. */
export function packStarts(starts: readonly string[]): StartPack {
  const bounds = new Uint32Array(2 * starts.length);
  let text = '';
  let end = 0;
  for (let i = 0; i < starts.length; i++) {
    const form = canonicalForm(starts[i]!);
    text += form;
    bounds[2 * i] = end;
    end += Buffer.byteLength(form);
    bounds[2 * i + 1] = end;
  }
  return { bytes: new TextEncoder().encode(text), bounds };
}

function canonicalForm(start: string): string {
  if (start.startsWith('_:')) return start.toWellFormed();
  return start.isWellFormed() ? `<${start}>` : '';
}

function clientText(form: string): string {
  return form.startsWith('<') ? form.slice(1, -1) : form;
}
