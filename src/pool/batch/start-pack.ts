/**
 * Start resources in transit to a thread: canonical forms (`<iri>`, `_:label`) in UTF-8, with
 * arbitrary bytes between them. A thread looks them up in this form, and creates no strings of
 * them.
 */
export interface StartPack {
  readonly bytes: Uint8Array;
  /**
   * For each start resource, where its form begins in `bytes` and where it ends. The form is empty
   * if the text has no canonical form.
   */
  readonly bounds: Uint32Array;
}

const decoder = new TextDecoder();

export function startCount({ bounds }: StartPack): number {
  return bounds.length / 2;
}

/** Returns the start resource as clients write it: an IRI without its brackets, or `_:label`. */
export function startText({ bytes, bounds }: StartPack, index: number): string {
  return clientText(decoder.decode(bytes.subarray(bounds[2 * index], bounds[2 * index + 1])));
}

/** Packs start resources as clients write them. */
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
